package dev.herdlab.balancer;

/// Why a request gets a further attempt. Owner thread: any (immutable).
public enum Further {
  /// The ones before have failed.
  RETRY,
  /// The ones before take long; the first that is answered wins.
  HEDGE
}
