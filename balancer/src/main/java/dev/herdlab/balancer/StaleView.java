package dev.herdlab.balancer;

/// The view `shared-stale`: a copy of the true counts as they stood at the last refresh, zeros
/// before the first. With own picks added, it also counts this proxy's picks since the copy that
/// are still in flight.
///
/// The host decides when: it has its dispatcher refresh at the instants of a [RefreshSchedule]. A
/// backend that joins, or returns, stands at zero in the copy until the next refresh.
///
/// Cost: [#inFlight] O(1), [#refresh] O(n). Owner thread: its dispatcher's.
/// Source: Mitzenmacher, "How Useful Is Old Information?", TPDS 11(1), 2000 (the periodic update
/// model).
final class StaleView implements View {
  private final Counts truth;
  private final ViewSpec.OwnPicks ownPicks;
  private BackendSet backends;
  private int[] copied;

  /// Own picks since the copy that are still in flight; zeros when they are ignored.
  private final Counts ownSince;

  /// Sequence numbers: of the first pick since the copy, and of the next one.
  private long firstSince;

  private long nextPick;

  /// Zeros.
  ///
  /// @param nextPick sequence number of the next pick: leases before it are not this view's
  StaleView(BackendSet backends, Counts truth, ViewSpec.OwnPicks ownPicks, long nextPick) {
    this.backends = backends;
    this.truth = truth;
    this.ownPicks = ownPicks;
    this.copied = new int[backends.size()];
    this.ownSince = new Counts(backends);
    this.firstSince = nextPick;
    this.nextPick = nextPick;
  }

  @Override
  public int inFlight(int index) {
    return copied[index] + ownSince.inFlight(index);
  }

  @Override
  public void refresh() {
    for (int i = 0; i < copied.length; i++) {
      copied[i] = truth.inFlight(i);
    }
    ownSince.clear();
    firstSince = nextPick;
  }

  @Override
  public void update(BackendSet next) {
    int[] moved = new int[next.size()];
    for (int i = 0; i < copied.length; i++) {
      int at = next.indexOf(backends.get(i).id());
      if (at >= 0) {
        moved[at] = copied[i];
      }
    }
    backends = next;
    copied = moved;
    ownSince.update(next);
  }

  @Override
  public void picked(Picked picked) {
    nextPick = picked.sequence() + 1;
    if (ownPicks == ViewSpec.OwnPicks.ADDED) {
      ownSince.raise(picked);
    }
  }

  @Override
  public void completed(Picked picked) {
    if (ownPicks == ViewSpec.OwnPicks.ADDED && picked.sequence() >= firstSince) {
      ownSince.lower(picked);
    }
  }
}
