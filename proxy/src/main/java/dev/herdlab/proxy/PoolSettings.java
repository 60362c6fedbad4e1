package dev.herdlab.proxy;

/// How many connections each pool, one per (proxy instance, backend), holds. Owner thread: any
/// (immutable).
///
/// @param warm opened before the clock starts, 0 to `cap`
/// @param cap most connections at once, idle ones included, 1 or more; a request beyond it fails
///     with `pool-exhausted`, since waiting for a connection would be a queue that no model knows
public record PoolSettings(int warm, int cap) {
  /// 2 warm ones; the cap is far above what a stable run needs, and keeps an unstable one from
  /// taking all file descriptors.
  public static final PoolSettings DEFAULT = new PoolSettings(2, 1024);

  public PoolSettings {
    if (cap < 1) {
      throw new IllegalArgumentException("pool cap: " + cap + " (expected: >= 1)");
    }
    if (warm < 0 || warm > cap) {
      throw new IllegalArgumentException("pool warm: " + warm + " (expected: 0 to " + cap + ")");
    }
  }
}
