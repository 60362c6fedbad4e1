package dev.herdlab.proxy.redis;

import io.lettuce.core.RedisChannelHandler;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.io.IOException;
import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One process's way to Redis, and the thread that it lives on. When the connections are lost, or
/// Redis does not answer, they are made anew, without end; what was under way is forgotten, not
/// repeated.
///
/// Owner thread: its own; [#execute], [#isUp], [#roundTripNanos], [#start] and [#close] from any.
final class RedisLink {
  private static final InternalLogger LOG = InternalLoggerFactory.getInstance(RedisBoard.class);
  private static final long CLOSE_BOUND_MILLIS = 1000;

  private final RedisSettings settings;
  private final String me;
  private final OneThread thread = new OneThread("herdlab-board");
  private final Connector connector;
  private @Nullable Events events;
  private @Nullable Connections live;
  private boolean away;
  private long awaySinceNanos;
  private boolean refused;
  private boolean pinging;
  private long pingedNanos;
  private volatile boolean closing;
  private volatile boolean up;
  private volatile long roundTripNanos;

  /// Hears of what comes.
  interface Events {
    /// A message came.
    ///
    /// @param arrivedNanos when
    /// @throws IOException if it is no message of ours
    void received(byte[] message, long arrivedNanos) throws IOException;

    /// The connections are lost.
    void down();
  }

  /// A link that is not connected yet.
  RedisLink(RedisSettings settings, UUID process) {
    this.settings = settings;
    this.me = process.toString();
    this.connector =
        new Connector(settings, thread, connection -> execute(() -> disconnected(connection)));
  }

  /// Begins to connect.
  void start(Events listener) {
    long beatNanos = settings.patience().toNanos() / 2;
    execute(
        () -> {
          events = listener;
          awaySinceNanos = System.nanoTime();
          connect();
          var _ =
              thread
                  .loop()
                  .scheduleAtFixedRate(this::beat, beatNanos, beatNanos, TimeUnit.NANOSECONDS);
        });
  }

  /// Runs a task on this thread soon; forgets it once this is closed. Any thread.
  void execute(Runnable task) {
    try {
      thread.loop().execute(task);
    } catch (RejectedExecutionException e) {
      // Closed.
    }
  }

  /// Runs a task on this thread after a while.
  void schedule(Duration delay, Runnable task) {
    var _ = thread.loop().schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
  }

  /// Whether Redis is connected to, and answers. Any thread.
  boolean isUp() {
    return up;
  }

  /// Smoothed time to Redis and back. Any thread.
  long roundTripNanos() {
    return roundTripNanos;
  }

  private void connect() {
    if (closing) {
      return;
    }
    var _ =
        connector
            .connect(me, this::receive)
            .whenComplete(
                (made, cause) ->
                    execute(
                        () -> {
                          if (cause == null) {
                            connected(made);
                          } else {
                            lost(root(cause));
                          }
                        }));
  }

  private static String root(Throwable cause) {
    Throwable at = cause;
    while (at.getCause() != null) {
      at = at.getCause();
    }
    return at.getMessage() == null ? at.getClass().getSimpleName() : at.getMessage();
  }

  private void receive(byte[] message) {
    long arrivedNanos = System.nanoTime();
    execute(
        () -> {
          if (events != null && !closing) {
            try {
              events.received(message, arrivedNanos);
            } catch (IOException | RuntimeException e) {
              LOG.error("counts: {}: a message can't be used", settings.where(), e);
            }
          }
        });
  }

  private void connected(Connections made) {
    if (closing || !made.areOpen()) {
      made.close();
      lost("closed at once");
      return;
    }
    live = made;
    pinging = false;
    roundTripNanos = 0;
    up = true;
    beat();
    if (away) {
      away = false;
      long millis = (System.nanoTime() - awaySinceNanos) / 1_000_000;
      LOG.warn("counts: {} is back after {} ms", settings.where(), millis);
    }
  }

  private void disconnected(RedisChannelHandler<?, ?> connection) {
    if (live != null && live.has(connection)) {
      lost("connection closed");
    }
  }

  private void lost(String why) {
    if (closing) {
      return;
    }
    Connections before = live;
    live = null;
    up = false;
    if (before != null) {
      awaySinceNanos = System.nanoTime();
      before.close();
      if (events != null) {
        events.down();
      }
    }
    if (!away) {
      away = true;
      LOG.warn("counts: {} is away ({}): views keep what they show", settings.where(), why);
    }
    schedule(settings.retry(), this::connect);
  }

  // Asks Redis for a sign of life twice in the time that it may take for one.
  private void beat() {
    Connections now = live;
    if (now == null) {
      return;
    }
    long at = System.nanoTime();
    if (!pinging) {
      pinging = true;
      pingedNanos = at;
      var _ = now.ping().whenComplete((pong, cause) -> ponged(now, at, cause == null));
    } else if (at - pingedNanos > settings.patience().toNanos()) {
      lost("no answer within " + settings.patience().toMillis() + " ms");
    }
  }

  private void ponged(Connections asked, long atNanos, boolean ok) {
    long tripNanos = System.nanoTime() - atNanos;
    execute(
        () -> {
          if (live == asked && ok) {
            pinging = false;
            long before = roundTripNanos;
            roundTripNanos = before == 0 ? tripNanos : before + (tripNanos - before) / 8;
          }
        });
  }

  /// Puts a question to all processes, as [Connections#ask] says.
  ///
  /// @param reply called on this thread, once, unless the connections are lost
  void ask(
      long leaseMillis, long greatestNumber, byte[] question, Consumer<Connections.Asked> reply) {
    Connections now = live;
    if (now != null) {
      var _ =
          now.ask(me, leaseMillis, greatestNumber, question)
              .whenComplete(
                  (asked, cause) ->
                      execute(
                          () -> {
                            if (live == now) {
                              complain(cause);
                              reply.accept(cause == null ? asked : Connections.Asked.REFUSED);
                            }
                          }));
    }
  }

  // Redis may be there and refuse: without the right to, or without memory.
  private void complain(@Nullable Throwable cause) {
    if (cause != null && !refused) {
      LOG.warn("counts: {} refuses a question: {}", settings.where(), root(cause));
    }
    refused = cause != null;
  }

  /// Sends a message to all processes, this one too.
  void tellAll(byte[] message) {
    if (live != null) {
      live.publish(live.everybody(), message);
    }
  }

  /// Sends a message to one process.
  void tell(UUID process, byte[] message) {
    if (live != null) {
      live.publish(live.only(process.toString()), message);
    }
  }

  /// Lets another process have the lead.
  void giveUpLead() {
    if (live != null) {
      live.giveUpLead(me);
    }
  }

  /// Closes the connections, after a last word; waits for that a second at most.
  ///
  /// @param lastWord on this thread
  void close(Runnable lastWord) {
    if (closing) {
      return;
    }
    var said = new CompletableFuture<Void>();
    execute(
        () -> {
          lastWord.run();
          closing = true;
          up = false;
          var ended = live == null ? CompletableFuture.completedFuture("") : live.ping();
          var _ = ended.whenComplete((pong, cause) -> said.complete(null));
        });
    try {
      said.get(CLOSE_BOUND_MILLIS, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    } catch (ExecutionException | TimeoutException e) {
      LOG.debug("counts: {}: no farewell", settings.where(), e);
    }
    connector.end(CLOSE_BOUND_MILLIS);
  }
}
