package dev.herdlab.balancer;

/// The instants at which one proxy's stale view is copied: `offset + j * refresh` for j = 0, 1, ...
///
/// Ideal instants: a host that is late with one does not shift the next. Owner thread: any
/// (immutable).
///
/// @param offsetNanos the first instant since the run's start, 0 or more
/// @param refreshNanos the interval, above 0
public record RefreshSchedule(long offsetNanos, long refreshNanos) {
  public RefreshSchedule {
    if (offsetNanos < 0) {
      throw new IllegalArgumentException("offset: " + offsetNanos + " ns (expected: >= 0)");
    }
    if (refreshNanos <= 0) {
      throw new IllegalArgumentException("refresh: " + refreshNanos + " ns (expected: > 0)");
    }
  }

  /// The schedule of proxy `proxy` (from 0): at 0 in phase `sync`; at `u * refresh` in phase
  /// `random`, with u uniform in [0, 1) from the stream (seed, "phase", proxy).
  public static RefreshSchedule of(ViewSpec.SharedStale view, long seed, int proxy) {
    long offset =
        switch (view.phase()) {
          case SYNC -> 0;
          case RANDOM ->
              (long) (SeededRandom.of(seed, "phase", proxy).unit() * view.refreshNanos());
        };
    return new RefreshSchedule(offset, view.refreshNanos());
  }

  /// The instant of copy `number` (from 0), since the run's start.
  public long instant(long number) {
    return Math.addExact(offsetNanos, Math.multiplyExact(number, refreshNanos));
  }
}
