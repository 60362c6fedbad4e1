package dev.herdlab.transport;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The deadlines of one loop: a binary heap, earliest first, in order of insertion at equal
/// instants.
///
/// Cost: add, take and remove O(log n); peek O(1). Owner thread: its loop's.
final class DeadlineHeap {
  private @Nullable Deadline[] heap = new @Nullable Deadline[64];
  private int size;
  private long sequence;

  Deadline add(long nanos, Runnable task) {
    Deadline deadline = new Deadline(this, nanos, sequence++, task);
    if (size == heap.length) {
      heap = Arrays.copyOf(heap, 2 * size);
    }
    siftUp(size++, deadline);
    return deadline;
  }

  @Nullable Deadline peek() {
    return heap[0];
  }

  /// Number ever added: a deadline with a sequence below it was there before now.
  long sequence() {
    return sequence;
  }

  int size() {
    return size;
  }

  void remove(Deadline deadline) {
    int at = deadline.index;
    deadline.index = Deadline.DONE;
    Deadline last = heap[--size];
    heap[size] = null;
    if (last == null || last == deadline) {
      return;
    }
    siftDown(at, last);
    if (heap[at] == last) {
      siftUp(at, last);
    }
  }

  private void siftUp(int from, Deadline deadline) {
    int at = from;
    while (at > 0) {
      int parent = (at - 1) >>> 1;
      Deadline above = heap[parent];
      if (above == null || !deadline.before(above)) {
        break;
      }
      place(at, above);
      at = parent;
    }
    place(at, deadline);
  }

  private void siftDown(int from, Deadline deadline) {
    int at = from;
    while (2 * at + 1 < size) {
      int child = 2 * at + 1;
      Deadline below = heap[child];
      Deadline right = heap[child + 1 < size ? child + 1 : child];
      if (below == null || right == null) {
        break;
      }
      if (right.before(below)) {
        child++;
        below = right;
      }
      if (!below.before(deadline)) {
        break;
      }
      place(at, below);
      at = child;
    }
    place(at, deadline);
  }

  private void place(int at, Deadline deadline) {
    heap[at] = deadline;
    deadline.index = at;
  }
}
