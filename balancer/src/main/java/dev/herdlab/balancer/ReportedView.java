package dev.herdlab.balancer;

/// The view `reported`: what each backend said of itself in its last load report to this proxy, 0
/// before the first. A report is as old as the last response that the backend sent here: a backend
/// that gets no requests keeps its number.
///
/// Cost: O(1) a look, a hash look-up a report; an update O(n). Owner thread: its dispatcher's.
/// Source: ORCA load reports within responses (gRPC A51).
final class ReportedView implements View {
  private final Counts own;
  private BackendSet backends;
  private int[] inFlight;

  /// @param own the proxy's counts
  ReportedView(BackendSet backends, Counts own) {
    this.own = own;
    this.backends = backends;
    this.inFlight = new int[backends.size()];
  }

  @Override
  public int inFlight(int index) {
    return inFlight[index];
  }

  @Override
  public int own(int index) {
    return own.inFlight(index);
  }

  @Override
  public void observe(BackendSignal signal) {
    if (signal instanceof BackendSignal.LoadReport report) {
      int index = backends.indexOf(report.backend());
      if (index >= 0) {
        inFlight[index] = report.inFlight();
      }
    }
  }

  @Override
  public void update(BackendSet next) {
    int[] moved = new int[next.size()];
    for (int i = 0; i < moved.length; i++) {
      int at = backends.indexOf(next.get(i).id());
      moved[i] = at < 0 ? 0 : inFlight[at];
    }
    backends = next;
    inFlight = moved;
  }
}
