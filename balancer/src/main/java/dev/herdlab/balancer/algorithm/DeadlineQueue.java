package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import java.util.Arrays;

/// Backends in the order of their deadlines: the first is picked, and comes back one period after
/// its deadline. Time is virtual: the deadline of the last pick.
///
/// A binary heap that moves entries as Go's `container/heap` does, so that with [Ties#HEAP] equal
/// deadlines come out in the very order that they have there.
///
/// Cost: O(log n) a pick, no allocation; O(n) when the set changes. Owner thread: its balancer's.
/// Source: Envoy source/common/upstream/edf_scheduler.h (with envoyproxy/envoy#31592); grpc-go
/// internal/wrr/edf.go (commit 4793ad0); Traefik pkg/server/service/loadbalancer/wrr/wrr.go (commit
/// fd5a576).
final class DeadlineQueue {
  private final Ties ties;
  private BackendSet backends;
  private int[] heap;
  private double[] deadlines;
  private long[] arrivals;
  private long arrivalCount;
  private double now;

  /// Which of equal deadlines comes first.
  enum Ties {
    /// The one that came back first (Envoy).
    FIFO,
    /// The one of the lower index (grpc-go).
    INDEX,
    /// As the heap happens to have them (Traefik).
    HEAP
  }

  /// An empty queue on no backends; [#add] them in index order.
  DeadlineQueue(Ties ties, BackendSet backends) {
    this.ties = ties;
    this.backends = backends;
    this.heap = new int[0];
    this.deadlines = new double[backends.size()];
    this.arrivals = new long[backends.size()];
  }

  /// The deadline of the last pick.
  double now() {
    return now;
  }

  /// Lets time pass without a pick.
  void setNow(double now) {
    this.now = now;
  }

  /// Puts the backend at `index` into the queue.
  void add(int index, double deadline) {
    heap = Arrays.copyOf(heap, heap.length + 1);
    enter(index, deadline, heap.length - 1);
  }

  private void enter(int index, double deadline, int place) {
    deadlines[index] = deadline;
    arrivals[index] = arrivalCount;
    arrivalCount++;
    heap[place] = index;
    up(place);
  }

  /// The first in the queue, which becomes now; [#putBack] must follow.
  int first() {
    now = deadlines[heap[0]];
    return heap[0];
  }

  /// Puts the first back, due one `period` from now.
  void putBack(double period) {
    int last = heap.length - 1;
    int index = heap[0];
    heap[0] = heap[last];
    down(0, last);
    enter(index, now + period, last);
  }

  private boolean less(int one, int other) {
    double difference = deadlines[one] - deadlines[other];
    if (difference != 0) {
      return difference < 0;
    }
    return switch (ties) {
      case FIFO -> arrivals[one] < arrivals[other];
      case INDEX -> one < other;
      case HEAP -> false;
    };
  }

  private void up(int from) {
    int place = from;
    int parent = (place - 1) / 2;
    while (parent != place && less(heap[place], heap[parent])) {
      swap(place, parent);
      place = parent;
      parent = (place - 1) / 2;
    }
  }

  private void down(int from, int size) {
    int place = from;
    int child = 2 * place + 1;
    while (child < size) {
      if (child + 1 < size && less(heap[child + 1], heap[child])) {
        child++;
      }
      if (!less(heap[child], heap[place])) {
        return;
      }
      swap(place, child);
      place = child;
      child = 2 * place + 1;
    }
  }

  private void swap(int one, int other) {
    int index = heap[one];
    heap[one] = heap[other];
    heap[other] = index;
  }

  /// Replaces the set: survivors keep their deadlines and their order; newcomers are not in the
  /// queue until they are added.
  void update(BackendSet next) {
    DeadlineQueue moved = new DeadlineQueue(ties, next);
    moved.heap = new int[heap.length];
    int size = 0;
    for (int index : heap) {
      int at = next.indexOf(backends.get(index).id());
      if (at >= 0) {
        moved.deadlines[at] = deadlines[index];
        moved.arrivals[at] = arrivals[index];
        moved.heap[size] = at;
        moved.up(size);
        size++;
      }
    }
    backends = next;
    heap = Arrays.copyOf(moved.heap, size);
    deadlines = moved.deadlines;
    arrivals = moved.arrivals;
  }
}
