package dev.herdlab.proxy;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.PreciseLoop;
import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/// The reverse proxies of one process: `k` instances on one loop, each with its own port, balancer
/// and connections, all counted in one truth. A request is refused with `no-backend` until an
/// algorithm is installed.
///
/// Algorithm, view and backends may be replaced at any time, under any load: each such command is
/// carried out on the loop as a whole, between two events. No request is lost, failed or counted
/// anew because of it.
///
/// Cost: no thread an instance; some kilobytes a connection. Owner thread: its loop's; all public
/// methods but [#truth] and [#dispatcher] may be called from any other as well.
public final class ProxyPool implements AutoCloseable {
  private static final Duration CALL_BOUND = Duration.ofSeconds(30);
  private static final Duration WARM_BOUND = Duration.ofSeconds(30);
  private static final Duration DRAIN_STEP = Duration.ofMillis(5);
  // As many as have 18 digits: no two of a system's proxies will ever draw the same.
  private static final long NAMES = 1_000_000_000_000_000_000L;

  private final PreciseLoop loop;
  private final ProxySettings settings;
  private final Sockets sockets;
  private final Counts truth;
  private final CountBoard board;
  private final StaleViews views;
  private final Switches switches;
  private final Membership members;
  private final List<ProxyInstance> instances = new ArrayList<>();
  private final List<InetSocketAddress> addresses = new ArrayList<>();
  private final AtomicBoolean closed = new AtomicBoolean();
  private @Nullable Deadline sweep;

  /// Proxies that are not started yet, that count in memory and report no exchanges.
  ///
  /// @param loop runs, before [#start]; it is not closed with the pool
  /// @param dispatches hears of all that dispatchers do, on the loop's thread
  public ProxyPool(PreciseLoop loop, ProxySettings settings, DispatchListener dispatches) {
    this(loop, settings, dispatches, ExchangeListener.NONE, CountBoard.memory());
  }

  /// Proxies that are not started yet.
  ///
  /// @param loop runs, before [#start]; it is not closed with the pool
  /// @param dispatches hears of all that dispatchers do, on the loop's thread
  /// @param exchanges hears how each request ended, on the loop's thread
  /// @param board brings stale views their copies; of these proxies alone, and closed with them
  public ProxyPool(
      PreciseLoop loop,
      ProxySettings settings,
      DispatchListener dispatches,
      ExchangeListener exchanges,
      CountBoard board) {
    this.loop = loop;
    this.settings = settings;
    this.sockets = new Sockets(loop, settings);
    BackendSet set = settings.backendSet();
    this.truth = new Counts(set);
    this.board = board;
    Bootstrap bootstrap = sockets.backends();
    NumberedListener numbered = new NumberedListener(dispatches);
    this.switches = new Switches(loop, board.scope(), instances, settings.attempts(), numbered);
    for (int i = 0; i < settings.instances(); i++) {
      var instance =
          new ProxyInstance(
              i,
              loop,
              settings,
              bootstrap,
              set,
              truth,
              switches::clockNanos,
              numbered,
              exchanges,
              Math.floorMod(UUID.randomUUID().getMostSignificantBits(), NAMES));
      instance.reach(settings.backends());
      instances.add(instance);
    }
    this.members = new Membership(loop, settings, set, truth, instances);
    this.views = new StaleViews(loop, board, truth, instances);
  }

  /// Binds all ports. Not on the loop's thread.
  ///
  /// @throws IOException in one line, if one can't be bound; those that were are released
  public void start() throws IOException, InterruptedException {
    board.open(views);
    for (ProxyInstance instance : instances) {
      int port = settings.port(instance.index());
      ChannelFuture bound = sockets.clients(instance).bind(settings.host(), port);
      if (!bound.await(CALL_BOUND.toMillis()) || !bound.isSuccess()) {
        Throwable cause = bound.cause();
        close();
        throw new IOException(
            "proxy %d: cannot listen on %s:%d: %s"
                .formatted(
                    instance.index(),
                    settings.host(),
                    port,
                    cause == null ? "no answer from the loop" : cause.getMessage()),
            cause);
      }
      addresses.add((InetSocketAddress) bound.channel().localAddress());
      loop.execute(() -> instance.listeningOn(bound.channel()));
    }
    loop.execute(this::sweepLater);
  }

  private void sweepLater() {
    if (!closed.get()) {
      sweep = loop.at(loop.nanos() + settings.timeouts().sweepNanos(), this::sweepNow);
    }
  }

  // The next sweep is scheduled first: time-outs go on if this one throws.
  private void sweepNow() {
    sweepLater();
    for (ProxyInstance instance : instances) {
      instance.sweep(loop.nanos());
    }
  }

  /// Where the instances listen, in order. Valid once started.
  public List<InetSocketAddress> addresses() {
    return List.copyOf(addresses);
  }

  /// Opens the connections of [PoolSettings#warm] to every backend, a few at a time. Not on the
  /// loop's thread.
  ///
  /// @throws IOException in one line, if one can't be opened, or all together take over 30 s
  public void warm() throws IOException, InterruptedException {
    WarmUp warmUp =
        onLoop(
            "warm-up",
            () -> {
              List<BackendPool> pools = new ArrayList<>();
              instances.forEach(instance -> pools.addAll(instance.pools().all()));
              var begun = new WarmUp(loop, pools, settings.pool().warm());
              begun.start();
              return begun;
            });
    warmUp.await(WARM_BOUND);
  }

  /// Gives every instance a fresh balancer and view, as [Installation#of] says. Any thread, once
  /// started.
  public void install(ConfiguredAlgorithm algorithm, ViewSpec view, long seed, long epochNanos) {
    install(Installation.of(algorithm, view, seed, epochNanos));
  }

  /// Gives every instance a fresh balancer and view; counts and connections are kept. Any thread,
  /// once started; returns once it is done. Probes of the balancers before are given up, and idle
  /// notices are sent or not, as the new ones want.
  ///
  /// @throws IllegalArgumentException if the view is `shared` and the counts are not of this
  ///     process alone; or what the algorithm throws if it does not fit the backends. Nothing is
  ///     changed then
  public void install(Installation next) {
    var _ =
        onLoop(
            "install",
            () -> {
              switches.check(next, members.set());
              views.stop();
              switches.install(next);
              views.follow(next);
              return true;
            });
  }

  /// Replaces the backends. One whose id stays keeps its place in balancers and counts, and at the
  /// same address its connections too; one that leaves ends the requests that it has, and its
  /// connections with them; to one that joins connections are opened in the background. The same
  /// list again changes nothing. Any thread; returns once it is done.
  ///
  /// @return version of the set of backends
  /// @throws IllegalArgumentException if an id is there twice; nothing is changed then
  public long update(List<BackendAddress> next) {
    List<BackendAddress> copy = List.copyOf(next);
    return onLoop("update", () -> members.update(copy));
  }

  /// What the proxies are doing now. Any thread; O(instances x backends) on the loop.
  public ProxyState state() {
    return onLoop("state", this::stateHere);
  }

  private ProxyState stateHere() {
    long now = loop.nanos();
    long oldest = 0;
    for (ProxyInstance instance : instances) {
      oldest = Math.max(oldest, views.ageNanos(instance.index(), now));
    }
    return new ProxyState(
        now,
        instances.stream().map(instance -> instance.state(views)).toList(),
        members.backends(),
        members.set().version(),
        truth.total(),
        switches.algorithm(),
        switches.view(),
        switches.refreshNanos(),
        switches.phase(),
        switches.count(),
        new ProxyState.Board(board.health(), oldest));
  }

  private <T> T onLoop(String what, Callable<T> task) {
    try {
      return loop.call(task, CALL_BOUND);
    } catch (RuntimeException e) {
      throw e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(what + ": interrupted", e);
    } catch (Exception e) {
      throw new IllegalStateException(what + ": " + e.getMessage(), e);
    }
  }

  /// The counts of all instances together. To be read on the loop's thread.
  public Counts truth() {
    return truth;
  }

  /// The dispatcher of one instance, by its index. To be used on the loop's thread.
  public Dispatcher dispatcher(int instance) {
    return instances.get(instance).dispatcher();
  }

  /// Requests that wait for a backend, of all instances. On the loop's thread.
  int waiting() {
    return instances.stream().mapToInt(instance -> instance.dispatcher().waiting()).sum();
  }

  /// Connections of all instances together. On the loop's thread.
  ProxyState.Connections connections() {
    ProxyState.Connections sum = ProxyState.Connections.NONE;
    for (ProxyInstance instance : instances) {
      sum = sum.plus(instance.connections());
    }
    return sum;
  }

  /// Ends in order: no more connections are accepted, each one ends with the response that it waits
  /// for, and what is left after `bound` is closed. Not on the loop's thread.
  public void drain(Duration bound) throws InterruptedException {
    loop.execute(() -> instances.forEach(ProxyInstance::drain));
    long start = loop.nanos();
    try {
      while (loop.nanos() - start < bound.toNanos()
          && onLoop("drain", () -> connections().clients() > 0)) {
        TimeUnit.NANOSECONDS.sleep(DRAIN_STEP.toNanos());
      }
    } finally {
      close();
    }
  }

  /// Closes all ports and connections; what is under way is cancelled, so that all counts are back
  /// at 0. Any thread; waits until it is done.
  @Override
  public void close() {
    if (!closed.compareAndSet(false, true)) {
      return;
    }
    try {
      var _ =
          onLoop(
              "close",
              () -> {
                closeHere();
                return true;
              });
    } catch (RejectedExecutionException e) {
      // The loop is closed, and all its channels with it.
    }
    board.close();
  }

  private void closeHere() {
    views.stop();
    if (sweep != null) {
      sweep.cancel();
    }
    for (ProxyInstance instance : instances) {
      instance.close();
    }
  }
}
