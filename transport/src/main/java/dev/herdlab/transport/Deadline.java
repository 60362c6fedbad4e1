package dev.herdlab.transport;

/// A task that a [PreciseLoop] runs at an exact instant, unless it is cancelled before.
///
/// Owner thread: its loop's.
public final class Deadline {
  /// The index in the heap of a deadline that is no longer in it.
  static final int DONE = -1;

  final long nanos;
  final long sequence;
  final Runnable task;
  private final DeadlineHeap heap;
  int index = DONE;

  Deadline(DeadlineHeap heap, long nanos, long sequence, Runnable task) {
    this.heap = heap;
    this.nanos = nanos;
    this.sequence = sequence;
    this.task = task;
  }

  /// The instant.
  public long nanos() {
    return nanos;
  }

  /// Takes it back. O(log n).
  ///
  /// @return false if it was run or cancelled already
  public boolean cancel() {
    if (index == DONE) {
      return false;
    }
    heap.remove(this);
    return true;
  }

  /// Instants compare by their difference, since the clock's origin is arbitrary; equal ones by
  /// order of insertion.
  boolean before(Deadline other) {
    long difference = nanos - other.nanos;
    return difference < 0 || (difference == 0 && sequence < other.sequence);
  }
}
