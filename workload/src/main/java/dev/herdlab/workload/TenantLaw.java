package dev.herdlab.workload;

/// The law by which each request belongs to one of several tenants: whose key algorithms hash, and
/// who stays with a backend when sessions are sticky.
///
/// Cost of a draw: O(log n) for `zipf`, O(1) for the others. Owner thread: any (immutable; the
/// stream, and what [#begin] gives, belong to the caller).
public interface TenantLaw {
  /// The largest number of tenants: 8 MB for the table of `zipf`.
  int MAX_TENANTS = 1_000_000;

  /// No tenants; draws nothing.
  TenantLaw NONE = random -> Trace.NO_TENANT;

  /// The law for one trace: what remembers its draws remembers those of one trace alone.
  default TenantLaw begin() {
    return this;
  }

  /// The tenant of the next request, from 1; or [Trace#NO_TENANT].
  int next(RandomStream random);

  /// The law that `spec` names:
  ///
  /// | spec | law |
  /// |---|---|
  /// | `none` | requests have no tenant |
  /// | `uniform(n=1000)` | each of 1 ... n equally often |
  /// | `zipf(n=1000,s=1)` | tenant i in proportion to 1 / i^s |
  /// | `sessions(n=500,requests=20)` | one of n live sessions; each request is its last with
  ///   probability 1 / requests, and a new one takes its place |
  ///
  /// @throws IllegalArgumentException with one line: what, column, found, expected
  static TenantLaw parse(String spec) {
    return TenantLaws.parse(spec);
  }
}
