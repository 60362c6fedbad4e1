package dev.herdlab.balancer;

/// A view of counts as they are now: the proxy's own (`local`), or the whole system's (`shared`).
/// Owner thread: its dispatcher's.
final class FreshView implements View {
  private final Counts counts;
  private final Counts own;

  /// @param own the proxy's
  FreshView(Counts counts, Counts own) {
    this.counts = counts;
    this.own = own;
  }

  @Override
  public int inFlight(int index) {
    return counts.inFlight(index);
  }

  @Override
  public int own(int index) {
    return own.inFlight(index);
  }
}
