package dev.herdlab.lab.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class BatchesTest {
  private final Batches batches = new Batches();
  private final List<Long> read = new ArrayList<>();

  private void drain() {
    batches.drain((kind, a, b, c, t, u, v, w) -> read.add(t));
  }

  private void add(long from, long to) {
    for (long i = from; i < to; i++) {
      batches.add(0, 0, 0, 0, i, 0, 0, 0);
    }
  }

  private static List<Long> numbers(long from, long to) {
    return java.util.stream.LongStream.range(from, to).boxed().toList();
  }

  @Test
  void bringEachNumberToItsPlace() {
    batches.add(1, 2, 3, -4, Long.MIN_VALUE, 6, 7, Long.MAX_VALUE);
    batches.handOver();
    List<Number> row = new ArrayList<>();
    batches.drain((kind, a, b, c, t, u, v, w) -> row.addAll(List.of(kind, a, b, c, t, u, v, w)));

    assertThat(row).containsExactly(1, 2, 3, -4, Long.MIN_VALUE, 6L, 7L, Long.MAX_VALUE);
  }

  @Test
  void areReadOnceFullOrHandedOver() {
    add(0, Batches.EVENTS + 3);
    drain();
    assertThat(read).isEqualTo(numbers(0, Batches.EVENTS));

    batches.handOver();
    batches.handOver();
    drain();
    drain();
    assertThat(read).isEqualTo(numbers(0, Batches.EVENTS + 3));
  }

  @Test
  void dropAndCountWhatASlowReaderHasNoRoomFor() {
    long room = (Batches.BUFFERS - 1) * (long) Batches.EVENTS;
    add(0, room);
    assertThat(batches.lost()).isZero();

    add(room, room + Batches.EVENTS);
    assertThat(batches.lost()).isEqualTo(Batches.EVENTS);
    drain();
    assertThat(read).isEqualTo(numbers(0, room));

    // There is room again.
    add(-Batches.EVENTS, 0);
    read.clear();
    drain();
    assertThat(read).isEqualTo(numbers(-Batches.EVENTS, 0));
    assertThat(batches.lost()).isEqualTo(Batches.EVENTS);
  }

  @Test
  void loseNothingBetweenTwoThreadsUnlessTheySaySo() throws Exception {
    long events = 2_000_000;
    Thread writer = Thread.startVirtualThread(() -> add(0, events));
    while (writer.isAlive()) {
      drain();
    }
    writer.join();
    batches.handOver();
    drain();

    assertThat(read.size() + batches.lost()).isEqualTo(events);
    assertThat(read).isSorted().doesNotHaveDuplicates();
  }
}
