package dev.herdlab.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class DeadlineHeapTest {
  @Test
  void agreesWithASortedListUnderRandomUse() {
    var random = new SplittableRandom(3);
    var heap = new DeadlineHeap();
    List<Deadline> model = new ArrayList<>();
    // Around the clock's wrap, where comparison by size would be wrong.
    long origin = Long.MAX_VALUE - 50;
    for (int step = 0; step < 20_000; step++) {
      int action = random.nextInt(10);
      if (action < 5 || model.isEmpty()) {
        model.add(heap.add(origin + random.nextInt(100), () -> {}));
      } else if (action < 8) {
        Deadline first = heap.peek();
        assertThat(first).isSameAs(model.stream().min(order(origin)).orElseThrow());
        heap.remove(first);
        model.remove(first);
      } else {
        Deadline any = model.remove(random.nextInt(model.size()));
        assertThat(any.cancel()).isTrue();
      }
      assertThat(heap.size()).isEqualTo(model.size());
    }
  }

  private static Comparator<Deadline> order(long origin) {
    return Comparator.<Deadline>comparingLong(deadline -> deadline.nanos() - origin)
        .thenComparingLong(deadline -> deadline.sequence);
  }
}
