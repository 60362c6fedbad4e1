package dev.herdlab.balancer;

/// What a proxy does beside the first attempt of a request: how often it tries again elsewhere, and
/// when it hedges.
///
/// Owner thread: any (immutable).
///
/// @param retries further attempts after failed ones, 0 or more
/// @param budget what bounds the retries of all requests together
/// @param hedge when a second attempt is made while the first one runs
public record AttemptPolicy(int retries, Budget budget, Hedge hedge) {
  /// One attempt each.
  public static final AttemptPolicy NONE = new AttemptPolicy(0, Budget.NONE, Hedge.NEVER);

  /// @throws IllegalArgumentException for fewer than no retries, or a budget for none
  public AttemptPolicy {
    if (retries < 0) {
      throw new IllegalArgumentException("retries: " + retries + " (expected: 0 or more)");
    }
    if (retries == 0 && budget.isLimited()) {
      throw new IllegalArgumentException("retry budget: without retries (expected: some)");
    }
  }

  /// Retries that are granted, as a share of the requests.
  ///
  /// @param share of the requests of the last ten seconds, 0 or more; infinity for no limit
  public record Budget(double share) {
    /// No limit.
    public static final Budget NONE = new Budget(Double.POSITIVE_INFINITY);

    public Budget {
      if (!(share >= 0)) {
        throw new IllegalArgumentException("share: " + share + " (expected: >= 0)");
      }
    }

    /// Whether there is a limit.
    public boolean isLimited() {
      return share != Double.POSITIVE_INFINITY;
    }
  }

  /// When a request that is not answered gets a second attempt on another backend.
  public sealed interface Hedge {
    /// It gets none.
    Hedge NEVER = new Never();

    /// No second attempt.
    record Never() implements Hedge {}

    /// After a fixed time.
    ///
    /// @param nanos since the first pick, above 0
    record After(long nanos) implements Hedge {
      public After {
        if (nanos <= 0) {
          throw new IllegalArgumentException("hedge: " + nanos + " ns (expected: > 0)");
        }
      }
    }

    /// After a percentile of the proxy's own recent latencies.
    ///
    /// @param percent 1 to 99
    record Percentile(int percent) implements Hedge {
      public Percentile {
        if (percent < 1 || percent > 99) {
          throw new IllegalArgumentException("hedge: p" + percent + " (expected: p1 to p99)");
        }
      }
    }
  }

  /// Whether a request may have more than one attempt.
  public boolean isActive() {
    return retries > 0 || hedges();
  }

  /// Whether requests are hedged.
  public boolean hedges() {
    return !(hedge instanceof Hedge.Never);
  }
}
