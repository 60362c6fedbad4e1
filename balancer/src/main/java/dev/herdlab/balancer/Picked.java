package dev.herdlab.balancer;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A picked backend, and the lease on it: the request counts as in flight from the pick until
/// [#complete], which must be called exactly once.
///
/// An algorithm creates it; the [Dispatcher] opens it, which raises the count. Cost: O(1). Owner
/// thread: the dispatcher's.
public final class Picked implements PickResult {
  // Final but for #standFor.
  private BackendSet backends;
  private int index;
  private State state = State.NEW;
  private Dispatcher dispatcher = Dispatcher.NONE;
  private LoadBalancer balancer = LoadBalancer.NONE;
  private long sequence;
  private long pickedNanos;
  private @Nullable Further further;

  /// Its neighbours in [OpenLeases], which alone sets them.
  @Nullable Picked older;

  @Nullable Picked newer;

  private enum State {
    NEW,
    OPEN,
    COMPLETED
  }

  /// The choice of the backend at `index` of `backends`, not yet in effect.
  ///
  /// @throws IndexOutOfBoundsException if there is no such backend
  public Picked(BackendSet backends, int index) {
    this.backends = backends;
    this.index = Objects.checkIndex(index, backends.size());
  }

  /// Makes it, not opened yet, the choice of the backend at `itsIndex` of `itsSet`: for a decorator
  /// whose inner algorithm picks from another set than the dispatcher's.
  ///
  /// @throws IllegalStateException if the lease was opened
  public void standFor(BackendSet itsSet, int itsIndex) {
    if (state != State.NEW) {
      throw new IllegalStateException("lease: " + state + " (expected: NEW)");
    }
    backends = itsSet;
    index = Objects.checkIndex(itsIndex, itsSet.size());
  }

  /// The picked backend.
  public Backend backend() {
    return backends.get(index);
  }

  /// Its index in the set it was picked from.
  public int index() {
    return index;
  }

  /// The set it was picked from.
  public BackendSet backends() {
    return backends;
  }

  /// Number of this pick at its dispatcher, from 0; meaningless before the lease is opened.
  public long sequence() {
    return sequence;
  }

  /// Instant of the pick on the dispatcher's clock, in ns; meaningless before the lease is opened.
  public long pickedNanos() {
    return pickedNanos;
  }

  /// Ends the lease: lowers the count, then tells the balancer that picked.
  ///
  /// @throws IllegalStateException if the lease was never opened, or is completed already
  public void complete(Outcome outcome) {
    if (state != State.OPEN) {
      throw new IllegalStateException("lease: " + state + " (expected: OPEN)");
    }
    state = State.COMPLETED;
    dispatcher.completed(this, outcome);
  }

  void open(Dispatcher dispatcher, LoadBalancer balancer, long sequence, long pickedNanos) {
    if (state != State.NEW) {
      throw new IllegalStateException("lease: " + state + " (expected: NEW)");
    }
    this.state = State.OPEN;
    this.dispatcher = dispatcher;
    this.balancer = balancer;
    this.sequence = sequence;
    this.pickedNanos = pickedNanos;
  }

  /// It is of a further attempt.
  void isFor(Further why) {
    further = why;
  }

  boolean isHedge() {
    return further == Further.HEDGE;
  }

  LoadBalancer balancer() {
    return balancer;
  }
}
