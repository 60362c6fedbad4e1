package dev.herdlab.balancer;

/// A view in which, while a further attempt of a request is picked for, the backends that it has
/// tried have a load that nothing real has: an algorithm by loads takes another one by itself.
///
/// Cost: a comparison a question. Owner thread: its dispatcher's.
final class TriedView implements View {
  /// More than any backend has, and sums of it are no overflow.
  private static final int TRIED = 1 << 20;

  private static final boolean[] NONE = {};

  private final View view;
  private boolean[] tried = NONE;

  TriedView(View view) {
    this.view = view;
  }

  /// Until [#end] these count as tried, by index in the set of now.
  void begin(boolean[] these) {
    tried = these;
  }

  void end() {
    tried = NONE;
  }

  @Override
  public int inFlight(int index) {
    return index < tried.length && tried[index] ? TRIED : view.inFlight(index);
  }

  @Override
  public int own(int index) {
    return view.own(index);
  }

  @Override
  public void refresh(Snapshot snapshot, long picksIncluded) {
    view.refresh(snapshot, picksIncluded);
  }

  @Override
  public long ageNanos(long nowNanos) {
    return view.ageNanos(nowNanos);
  }

  @Override
  public long refreshNanos() {
    return view.refreshNanos();
  }

  @Override
  public long copies() {
    return view.copies();
  }

  @Override
  public void observe(BackendSignal signal) {
    view.observe(signal);
  }

  @Override
  public void update(BackendSet backends) {
    view.update(backends);
  }

  @Override
  public void picked(Picked picked) {
    view.picked(picked);
  }

  @Override
  public void completed(Picked picked) {
    view.completed(picked);
  }
}
