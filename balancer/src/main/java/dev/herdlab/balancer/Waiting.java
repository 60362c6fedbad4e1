package dev.herdlab.balancer;

/// No backend now, but there will be one: the request waits at the proxy, in the order of arrival,
/// and the balancer is asked again whenever a request of the proxy ends, or the set changes.
///
/// Owner thread: any (immutable).
///
/// @param atMost so many may wait at the proxy; one more is refused
/// @param what which requests would get the same answer now
public record Waiting(int atMost, Until what) implements PickResult {
  public Waiting {
    if (atMost < 0) {
      throw new IllegalArgumentException("waiting: at most " + atMost + " (expected: >= 0)");
    }
  }

  /// What is waited for.
  public enum Until {
    /// No backend can be picked for any request.
    ANY_IS_FREE,
    /// None can be picked for this one; another request may be luckier.
    ONE_FOR_THIS_IS_FREE
  }
}
