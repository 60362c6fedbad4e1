package dev.herdlab.lab.metrics;

import dev.herdlab.transport.PreciseLoop;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;

/// What the metrics hear of a loop: its events, in batches, and its state, at each scrape.
///
/// A thread of its own reads the full batches several times a second, so that the loop need not
/// wake anybody. A scrape asks the loop for what it has got and for a snapshot of its state, both
/// at the same instant. Owner thread: any, but for [#batches], which are the loop's.
final class LoopFeed implements AutoCloseable {
  // The buffers hold four times as much as 20 000 events a second bring in this time.
  private static final long READ_NANOS = 100_000_000;
  // A loop that does not answer in this time hangs: the scrape then shows what was known.
  private static final Duration ASK_BOUND = Duration.ofSeconds(1);

  private final MetricsRegistry registry;
  private final PreciseLoop loop;
  private final Batches.Reader reader;
  private final Batches batches = new Batches();
  private final AtomicBoolean running = new AtomicBoolean();
  private final Thread thread = new Thread(this::read, "herdlab-metrics");

  /// A feed that is not read yet.
  ///
  /// @param reader called within [MetricsRegistry#update]
  LoopFeed(MetricsRegistry registry, PreciseLoop loop, Batches.Reader reader) {
    this.registry = registry;
    this.loop = loop;
    this.reader = reader;
    registry.addFeed(this);
  }

  /// Starts to read.
  void start() {
    running.set(true);
    thread.setDaemon(true);
    thread.start();
  }

  /// Where the loop puts its events.
  Batches batches() {
    return batches;
  }

  /// Has the loop hand over its events up to now. Within [MetricsRegistry#update].
  ///
  /// @return what `state` says on the loop at the same instant; empty if the loop does not answer
  <S> Optional<S> ask(Supplier<S> state) {
    try {
      return Optional.of(
          loop.call(
              () -> {
                batches.handOver();
                return state.get();
              },
              ASK_BOUND));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    } catch (RejectedExecutionException | IllegalStateException e) {
      return Optional.empty();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /// Reads what was handed over. Within [MetricsRegistry#update].
  void drain() {
    batches.drain(reader);
  }

  private void read() {
    while (running.get()) {
      LockSupport.parkNanos(READ_NANOS);
      registry.update(this::drain);
    }
  }

  /// Events that were dropped.
  long lost() {
    return batches.lost();
  }

  /// Stops reading. Idempotent.
  @Override
  public void close() {
    running.set(false);
    LockSupport.unpark(thread);
  }
}
