package dev.herdlab.lab.metrics;

import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/// Events on their way from a loop to the metrics: rows of numbers in buffers that go round.
///
/// The loop fills one buffer and hands it over when it is full or when it is asked to; it never
/// waits. If the reader has fallen so far behind that none is free, the buffer's events are dropped
/// and counted. Cost of [#add]: eight stores; of a hand-over, two atomic ones.
///
/// Bound: [#BUFFERS] of [#EVENTS] rows, 512 KiB. Owner threads: [#add] and [#handOver] are the
/// loop's, [#drain] is one reader's at a time, [#lost] anybody's.
final class Batches {
  /// Rows of a buffer.
  static final int EVENTS = 512;

  /// Buffers: at 20 000 events a second they hold what a reader misses in 0.4 s.
  static final int BUFFERS = 16;

  private static final int WIDTH = 8;

  private final Ring full = new Ring();
  private final Ring free = new Ring();
  private Buffer filling = new Buffer();
  private volatile long lost;

  Batches() {
    for (int i = 1; i < BUFFERS; i++) {
      free.offer(new Buffer());
    }
  }

  /// Takes one event at a time, in the order in which they happened.
  @FunctionalInterface
  interface Reader {
    /// What the numbers mean is the writer's and the reader's business.
    void read(int kind, int a, int b, int c, long t, long u, long v, long w);
  }

  private static final class Buffer {
    final long[] values = new long[EVENTS * WIDTH];
    int events;
  }

  /// Keeps one event.
  void add(int kind, int a, int b, int c, long t, long u, long v, long w) {
    long[] values = filling.values;
    int at = filling.events * WIDTH;
    values[at] = kind;
    values[at + 1] = a;
    values[at + 2] = b;
    values[at + 3] = c;
    values[at + 4] = t;
    values[at + 5] = u;
    values[at + 6] = v;
    values[at + 7] = w;
    if (++filling.events == EVENTS) {
      handOver();
    }
  }

  /// Lets the reader have what there is.
  void handOver() {
    if (filling.events == 0) {
      return;
    }
    Buffer next = free.poll();
    if (next == null) {
      long before = lost;
      lost = before + filling.events;
      filling.events = 0;
    } else {
      full.offer(filling);
      filling = next;
    }
  }

  /// Reads all that was handed over.
  void drain(Reader reader) {
    for (Buffer buffer = full.poll(); buffer != null; buffer = full.poll()) {
      long[] values = buffer.values;
      for (int at = 0; at < buffer.events * WIDTH; at += WIDTH) {
        reader.read(
            (int) values[at],
            (int) values[at + 1],
            (int) values[at + 2],
            (int) values[at + 3],
            values[at + 4],
            values[at + 5],
            values[at + 6],
            values[at + 7]);
      }
      buffer.events = 0;
      free.offer(buffer);
    }
  }

  /// Events that were dropped.
  long lost() {
    return lost;
  }

  /// A queue between two threads that never refuses, since it has a place for each buffer.
  private static final class Ring {
    private final AtomicReferenceArray<@Nullable Buffer> places =
        new AtomicReferenceArray<>(BUFFERS);
    // Each is one side's own.
    private int nextIn;
    private int nextOut;

    void offer(Buffer buffer) {
      places.setRelease(nextIn, buffer);
      nextIn = (nextIn + 1) % BUFFERS;
    }

    @Nullable Buffer poll() {
      Buffer buffer = places.getAcquire(nextOut);
      if (buffer != null) {
        places.setRelease(nextOut, null);
        nextOut = (nextOut + 1) % BUFFERS;
      }
      return buffer;
    }
  }
}
