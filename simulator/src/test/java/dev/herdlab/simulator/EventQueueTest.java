package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.SeededRandom;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  private final EventQueue queue = new EventQueue();

  @Test
  void ordersOneInstantByKindAndThenByInsertion() {
    queue.add(5, EventQueue.Kind.TIMER, 1);
    queue.add(5, EventQueue.Kind.COMPLETION, 2);
    queue.add(5, EventQueue.Kind.TIMER, 3);
    queue.add(5, EventQueue.Kind.COMPLETION, 4);
    queue.add(4, EventQueue.Kind.TIMER, 5);

    assertThat(queue.nextNanos()).isEqualTo(4);
    assertThat(queue.nextKind()).isEqualTo(EventQueue.Kind.TIMER);
    assertThat(drain()).containsExactly(5, 2, 4, 1, 3);
  }

  @Test
  void emptyHasNoNextInstant() {
    assertThat(queue.nextNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void ordersManyAsAStableSortDoes() {
    record Event(long nanos, EventQueue.Kind kind, int argument) {}
    SeededRandom random = SeededRandom.of(3, "events", 0);
    List<Event> events = new ArrayList<>();
    for (int i = 0; i < 5_000; i++) {
      EventQueue.Kind kind =
          random.below(2) == 0 ? EventQueue.Kind.COMPLETION : EventQueue.Kind.TIMER;
      events.add(new Event(random.below(500), kind, i));
    }
    events.forEach(event -> queue.add(event.nanos(), event.kind(), event.argument()));

    events.sort(Comparator.comparingLong(Event::nanos).thenComparing(Event::kind));
    assertThat(drain()).isEqualTo(events.stream().map(Event::argument).toList());
  }

  /// Every order of adding up to seven events, and every moment of removing the first two.
  @Test
  void ordersEverySmallCase() {
    for (int size = 1; size <= 7; size++) {
      permute(new int[size], 0, 0);
    }
  }

  private void permute(int[] order, int length, int used) {
    if (length == order.length) {
      checkAllRemovals(order);
      return;
    }
    for (int value = 0; value < order.length; value++) {
      if ((used & (1 << value)) == 0) {
        order[length] = value;
        permute(order, length + 1, used | (1 << value));
      }
    }
  }

  private void checkAllRemovals(int[] order) {
    for (int removeAfter = 2; removeAfter <= order.length; removeAfter++) {
      PriorityQueue<Integer> expected = new PriorityQueue<>();
      for (int i = 0; i < order.length; i++) {
        queue.add(order[i], EventQueue.Kind.COMPLETION, order[i]);
        expected.add(order[i]);
        if (i + 1 == removeAfter) {
          assertThat(queue.remove()).isEqualTo(expected.remove());
          assertThat(queue.remove()).isEqualTo(expected.remove());
        }
      }
      while (!expected.isEmpty()) {
        assertThat(queue.remove()).isEqualTo(expected.remove());
      }
    }
  }

  private List<Integer> drain() {
    List<Integer> arguments = new ArrayList<>();
    while (queue.nextNanos() < Long.MAX_VALUE) {
      arguments.add(queue.remove());
    }
    return arguments;
  }
}
