package dev.herdlab.workload;

/// The law by which requests reach one of several proxies: what stands before them, such as DNS, a
/// layer-4 balancer or clients that keep their connections, deals requests out evenly or not.
///
/// Owner thread: any (immutable; the stream, and what [#begin] gives, belong to the caller).
public interface ProxyLaw {
  /// Each request reaches any proxy with the same probability.
  ProxyLaw UNIFORM = (proxies, random) -> () -> random.below(proxies);

  /// The law for one trace.
  ///
  /// @param random all draws are this stream's
  /// @throws IllegalArgumentException in one line, if it is not for so many proxies
  Draws begin(int proxies, RandomStream random);

  /// The proxies of one trace's requests. Owner thread: its trace's.
  @FunctionalInterface
  interface Draws {
    /// The proxy of the next request, from 0.
    int next();
  }

  /// The law that `spec` names:
  ///
  /// | spec | law |
  /// |---|---|
  /// | `uniform` | any with the same probability |
  /// | `weighted(shares=3+1+1+1)` | each in proportion to its share, independently |
  /// | `sticky(connections=64)` | each of so many connections ends at one uniformly random proxy
  ///   for the whole trace, and each request comes on any of them with the same probability |
  ///
  /// @throws IllegalArgumentException with one line: what, column, found, expected
  static ProxyLaw parse(String spec) {
    return ProxyLaws.parse(spec);
  }
}
