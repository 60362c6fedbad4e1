package dev.herdlab.balancer;

/// The view `shared-stale`: a copy of the true counts as they stood at one instant, zeros before
/// the first. With own picks added, it also counts this proxy's picks that the copy does not know
/// of and that are still in flight; leases older than the view are never added.
///
/// The host decides when: it hands its dispatcher a [Snapshot] at the instants of a
/// [RefreshSchedule]. A backend that joins, or returns, stands at zero in the copy until the next
/// refresh.
///
/// Cost: [#inFlight] O(1); [#refresh] O(1), and with own picks added one step for each lease in
/// flight. Owner thread: its dispatcher's.
/// Source: Mitzenmacher, "How Useful Is Old Information?", TPDS 11(1), 2000 (the periodic update
/// model).
final class StaleView implements View {
  private final ViewSpec.SharedStale spec;
  private final OpenLeases open;
  private final Counts own;
  private Snapshot copy;

  /// Own picks that the copy does not know of and that are in flight; zeros when they are ignored.
  private final Counts ownSince;

  /// Sequence number of the first pick that is counted there.
  private long firstSince;

  private long copies;

  /// Zeros.
  ///
  /// @param open the dispatcher's leases
  /// @param own its counts
  /// @param nextPick sequence number of the next pick: leases before it are not this view's
  StaleView(
      BackendSet backends, OpenLeases open, Counts own, ViewSpec.SharedStale spec, long nextPick) {
    this.spec = spec;
    this.open = open;
    this.own = own;
    this.copy = new Snapshot(0, backends, new int[backends.size()], 0);
    this.ownSince = new Counts(backends);
    this.firstSince = nextPick;
  }

  @Override
  public int inFlight(int index) {
    return copy.count(index) + ownSince.inFlight(index);
  }

  @Override
  public int own(int index) {
    return own.inFlight(index);
  }

  private boolean addsOwn() {
    return spec.ownPicks() == ViewSpec.OwnPicks.ADDED;
  }

  @Override
  public long ageNanos(long nowNanos) {
    return copies == 0 ? 0 : Math.max(0, nowNanos - copy.truthNanos());
  }

  @Override
  public long refreshNanos() {
    return spec.refreshNanos();
  }

  @Override
  public long copies() {
    return copies;
  }

  @Override
  public void refresh(Snapshot snapshot, long picksIncluded) {
    copy = snapshot;
    copies++;
    if (addsOwn() && picksIncluded > firstSince) {
      open.forEachBefore(picksIncluded, this::nowInCopy);
      firstSince = picksIncluded;
    }
  }

  private void nowInCopy(Picked picked) {
    if (picked.sequence() >= firstSince) {
      ownSince.lower(picked);
    }
  }

  @Override
  public void update(BackendSet next) {
    copy = copy.on(next);
    ownSince.update(next);
  }

  @Override
  public void picked(Picked picked) {
    if (addsOwn()) {
      ownSince.raise(picked);
    }
  }

  @Override
  public void completed(Picked picked) {
    if (addsOwn() && picked.sequence() >= firstSince) {
      ownSince.lower(picked);
    }
  }
}
