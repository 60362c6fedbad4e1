package dev.herdlab.transport;

import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.ServerSocketChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// One thread that runs a Netty event loop and, between its I/O, tasks at exact deadlines.
///
/// The thread waits in `epoll_pwait2`, whose time-out is in nanoseconds, until the next deadline
/// less the spin time; then it polls without waiting until the deadline. Order: deadlines that are
/// due, then I/O and what others asked to [#execute]. Where epoll is missing, NIO takes its place
/// and deadlines are met to about a millisecond.
///
/// Cost: [#at] and [Deadline#cancel] O(log n); a wake-up from another thread one write to an
/// eventfd.
/// Owner thread: its own; any thread may create, start, execute, call and close.
public final class PreciseLoop implements AutoCloseable {
  private static final InternalLogger LOG = InternalLoggerFactory.getInstance(PreciseLoop.class);
  // A wait without deadlines ends now and then all the same, so that nothing hangs on one lost
  // wake-up.
  private static final long IDLE_NANOS = TimeUnit.SECONDS.toNanos(1);
  // As many deadlines in a row as leave I/O waiting for some tens of microseconds at most.
  private static final int BATCH = 64;
  private static final Duration START_BOUND = Duration.ofSeconds(10);
  private static final long CLOSE_BOUND_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final Settings settings;
  private final FastThreadLocalThread thread;
  private final ManualIoEventLoop io;
  private final DeadlineHeap deadlines = new DeadlineHeap();
  private final SpinAllowance allowance = new SpinAllowance();
  private final CompletableFuture<Scheduling.Granted> granted = new CompletableFuture<>();
  private volatile boolean closing;
  private volatile @Nullable Throwable failure;

  /// What a loop is made of.
  ///
  /// @param name of the thread
  /// @param spinNanos how long before a deadline the thread stops to sleep and polls, 0 to 1 ms; 0
  ///     costs no CPU, 60 to 100 us hide the wake-up where a core can be spared
  /// @param scheduling how the kernel is asked to schedule the thread
  public record Settings(String name, long spinNanos, Scheduling scheduling) {
    /// The longest spin: beyond it a core is burnt for nothing.
    public static final long MAX_SPIN_NANOS = 1_000_000;

    public Settings {
      if (spinNanos < 0 || spinNanos > MAX_SPIN_NANOS) {
        throw new IllegalArgumentException(
            "spin: " + spinNanos + " ns (expected: 0 to " + MAX_SPIN_NANOS + ")");
      }
    }
  }

  private PreciseLoop(Settings settings) {
    this.settings = settings;
    this.thread = new FastThreadLocalThread(this::run, settings.name());
    this.thread.setDaemon(true);
    this.io = new ManualIoEventLoop(thread, ioHandler());
  }

  /// A loop that is not running yet.
  public static PreciseLoop create(Settings settings) {
    return new PreciseLoop(settings);
  }

  private static IoHandlerFactory ioHandler() {
    return Epoll.isAvailable() ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
  }

  /// Starts the thread; returns once it runs as the settings say.
  ///
  /// @throws SchedulingRefusedException if real-time scheduling is not to be had; the loop is
  ///     closed then
  public void start() throws SchedulingRefusedException {
    thread.start();
    try {
      granted.get(START_BOUND.toSeconds(), TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof SchedulingRefusedException refused) {
        throw refused;
      }
      throw new IllegalStateException("loop " + settings.name() + ": did not start", e.getCause());
    } catch (TimeoutException e) {
      close();
      throw new IllegalStateException("loop " + settings.name() + ": did not start", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      close();
      throw new IllegalStateException("loop " + settings.name() + ": interrupted at start", e);
    }
  }

  /// How the thread is really scheduled. Valid once started; any thread.
  public Scheduling.Granted granted() {
    return granted.join();
  }

  /// The Netty event loop that channels register with.
  public IoEventLoop eventLoop() {
    return io;
  }

  /// The class of server channels that fit this loop.
  public Class<? extends ServerSocketChannel> serverChannelType() {
    return Epoll.isAvailable() ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
  }

  /// The class of client channels that fit this loop.
  public Class<? extends SocketChannel> channelType() {
    return Epoll.isAvailable() ? EpollSocketChannel.class : NioSocketChannel.class;
  }

  /// The monotonic clock that deadlines are on, in nanoseconds.
  public long nanos() {
    return System.nanoTime();
  }

  /// Runs a task at an instant of [#nanos], never before; at once, but not in this call, if it has
  /// passed. Tasks for the same instant run in the order in which they were given. On the loop's
  /// thread only.
  public Deadline at(long deadlineNanos, Runnable task) {
    if (!inLoop()) {
      throw new IllegalStateException(
          "at: on " + Thread.currentThread().getName() + " (expected: " + settings.name() + ")");
    }
    return deadlines.add(deadlineNanos, task);
  }

  /// Number of deadlines that wait. On the loop's thread only.
  public int pendingDeadlines() {
    return deadlines.size();
  }

  /// Runs a task on the loop's thread soon. Any thread.
  ///
  /// @throws RejectedExecutionException if the loop is closed
  public void execute(Runnable task) {
    // The event loop's queue can't take a task back, so after its end it would keep it without a
    // word.
    if (closing && !inLoop()) {
      throw new RejectedExecutionException("loop " + settings.name() + ": closed");
    }
    io.execute(task);
  }

  /// True on the loop's thread.
  public boolean inLoop() {
    return io.inEventLoop();
  }

  /// Runs a task on the loop's thread and waits for its result; runs it at once on the loop's own.
  /// Any thread.
  ///
  /// @throws IllegalStateException if there is no result within `bound`
  public <T> T call(Callable<T> task, Duration bound) throws Exception {
    if (inLoop()) {
      return task.call();
    }
    var result = new CompletableFuture<T>();
    execute(
        () -> {
          try {
            result.complete(task.call());
          } catch (Throwable e) {
            result.completeExceptionally(e);
          }
        });
    try {
      return result.get(bound.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      if (e.getCause() instanceof Exception cause) {
        throw cause;
      }
      throw e;
    } catch (TimeoutException e) {
      throw new IllegalStateException(
          "loop " + settings.name() + ": no answer within " + bound.toMillis() + " ms", e);
    }
  }

  /// The first error that a deadline's task threw, if any: it is logged, and the loop goes on. Any
  /// thread.
  public @Nullable Throwable failure() {
    return failure;
  }

  private void run() {
    try {
      granted.complete(KernelScheduling.apply(settings.scheduling()));
      while (!closing) {
        runDue();
        runIo();
      }
    } catch (Throwable e) {
      if (!granted.completeExceptionally(e)) {
        fail("the loop ends", e);
      }
    } finally {
      terminate();
    }
  }

  // The instant and the sequence are read once: what becomes due meanwhile, or is added for the
  // past, waits until I/O had its turn.
  private void runDue() {
    Deadline first = deadlines.peek();
    if (first == null) {
      return;
    }
    long now = nanos();
    long sequence = deadlines.sequence();
    for (int i = 0; i < BATCH && first != null; i++) {
      if (first.nanos - now > 0 || first.sequence >= sequence) {
        return;
      }
      deadlines.remove(first);
      try {
        first.task.run();
      } catch (Throwable e) {
        fail("a deadline's task failed", e);
      }
      first = deadlines.peek();
    }
  }

  private void runIo() {
    Deadline next = deadlines.peek();
    if (next == null) {
      allowance.sleeping(nanos());
      io.run(IDLE_NANOS);
      return;
    }
    long now = nanos();
    long untilDeadline = next.nanos - now;
    long untilSpin = untilDeadline - settings.spinNanos();
    if (untilSpin > 0) {
      allowance.sleeping(now);
      io.run(Math.min(untilSpin, IDLE_NANOS));
    } else if (untilDeadline > 0 && !allowance.spinning(now)) {
      io.run(untilDeadline);
    } else {
      io.runNow();
    }
  }

  private void fail(String what, Throwable e) {
    if (failure == null) {
      failure = e;
    }
    LOG.error("{}: {}", settings.name(), what, e);
  }

  private void terminate() {
    var _ = io.shutdownGracefully(0, 0, TimeUnit.NANOSECONDS);
    long start = nanos();
    while (!io.isTerminated() && nanos() - start < CLOSE_BOUND_NANOS) {
      io.runNow();
    }
  }

  /// Closes all channels of the loop and ends its thread; waits for that at most 5 s, not at all on
  /// the loop's own thread. Deadlines that wait are forgotten.
  @Override
  public void close() {
    closing = true;
    if (inLoop()) {
      return;
    }
    io.wakeup();
    if (thread.getState() == Thread.State.NEW) {
      // The event loop's file descriptors are freed by its thread alone.
      thread.start();
    }
    try {
      thread.join(Duration.ofNanos(2 * CLOSE_BOUND_NANOS));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
