package dev.herdlab.balancer;

/// A view of counts as they are now: the proxy's own (`local`), or the whole system's (`shared`).
/// Owner thread: its dispatcher's.
final class FreshView implements View {
  private final Counts counts;

  FreshView(Counts counts) {
    this.counts = counts;
  }

  @Override
  public int inFlight(int index) {
    return counts.inFlight(index);
  }
}
