package dev.herdlab.balancer;

/// What a proxy knows of its requests' attempts: what is left of the retry budget, and how long
/// requests take. It begins anew with each installation.
///
/// Cost: O(1); see [RecentLatencies]. Owner thread: its dispatcher's.
final class AttemptState {
  private final AttemptPolicy policy;
  private final RetryBudget budget;
  private final RecentLatencies latencies;
  private long retries;
  private long hedges;
  private long hedgesWon;
  private long overBudget;

  /// @param before counts of the installations before
  AttemptState(AttemptPolicy policy, AttemptCounts before) {
    this.retries = before.retries();
    this.hedges = before.hedges();
    this.hedgesWon = before.hedgesWon();
    this.overBudget = before.overBudget();
    this.policy = policy;
    this.budget = new RetryBudget(policy.budget());
    this.latencies =
        new RecentLatencies(
            policy.hedge() instanceof AttemptPolicy.Hedge.Percentile(int percent) ? percent : 1);
  }

  AttemptPolicy policy() {
    return policy;
  }

  void request(long nowNanos) {
    if (policy.retries() > 0) {
      budget.deposit(nowNanos);
    }
  }

  boolean grantsRetry(long nowNanos) {
    boolean granted = budget.withdraw(nowNanos);
    overBudget += granted ? 0 : 1;
    return granted;
  }

  void further(Further why) {
    switch (why) {
      case RETRY -> retries++;
      case HEDGE -> hedges++;
    }
  }

  void completed(Picked picked, Outcome outcome) {
    if (picked.isHedge() && outcome instanceof Outcome.Succeeded) {
      hedgesWon++;
    }
  }

  /// @param attempts number of all
  AttemptCounts counts(long attempts) {
    return new AttemptCounts(attempts, retries, hedges, hedgesWon, overBudget);
  }

  void answered(long latencyNanos) {
    if (policy.hedge() instanceof AttemptPolicy.Hedge.Percentile) {
      latencies.add(latencyNanos);
    }
  }

  /// How long after its first pick a request gets a second attempt; `Long.MAX_VALUE` for never.
  long hedgeDelayNanos() {
    return switch (policy.hedge()) {
      case AttemptPolicy.Hedge.Never never -> Long.MAX_VALUE;
      case AttemptPolicy.Hedge.After(long nanos) -> nanos;
      case AttemptPolicy.Hedge.Percentile percentile -> latencies.percentileNanos();
    };
  }
}
