package dev.herdlab.balancer;

/// The view `shared-stale`: a copy of the true counts as they stood at the last refresh, zeros before the
/// first. With own picks added, it also counts this proxy's picks since the copy that are still in flight.
///
/// The host decides when: it calls [#refresh] at the instants of its [RefreshSchedule].
///
/// Cost: [#inFlight] O(1), [#refresh] O(n). Owner thread: its dispatcher's.
/// Source: Mitzenmacher, "How Useful Is Old Information?", TPDS 11(1), 2000 (the periodic update model).
final class StaleView implements View {
  private final Counts truth;
  private final ViewSpec.OwnPicks ownPicks;
  private BackendSet backends;
  private int[] seen;
  private int epoch;

  StaleView(BackendSet backends, Counts truth, ViewSpec.OwnPicks ownPicks) {
    this.backends = backends;
    this.truth = truth;
    this.ownPicks = ownPicks;
    this.seen = new int[backends.size()];
  }

  @Override
  public int inFlight(int index) {
    return seen[index];
  }

  @Override
  public void refresh() {
    epoch++;
    for (int i = 0; i < seen.length; i++) {
      seen[i] = truth.inFlight(i);
    }
  }

  @Override
  public void update(BackendSet next) {
    int[] moved = new int[next.size()];
    for (int i = 0; i < seen.length; i++) {
      int at = next.indexOf(backends.get(i).id());
      if (at >= 0) {
        moved[at] = seen[i];
      }
    }
    backends = next;
    seen = moved;
  }

  @Override
  public void picked(Picked picked) {
    picked.viewEpoch(epoch);
    if (ownPicks == ViewSpec.OwnPicks.ADDED) {
      addOwn(picked, 1);
    }
  }

  @Override
  public void completed(Picked picked) {
    if (ownPicks == ViewSpec.OwnPicks.ADDED && picked.viewEpoch() == epoch) {
      addOwn(picked, -1);
    }
  }

  private void addOwn(Picked picked, int delta) {
    int at =
        picked.backends() == backends ? picked.index() : backends.indexOf(picked.backend().id());
    if (at >= 0) {
      // A backend that left and came back starts at 0 here: its older picks must not take it below.
      seen[at] = Math.max(0, seen[at] + delta);
    }
  }
}
