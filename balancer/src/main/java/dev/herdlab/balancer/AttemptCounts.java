package dev.herdlab.balancer;

/// How many attempts the requests of a run took, and why. Owner thread: any (immutable).
///
/// @param attempts leases that were opened: first attempts, retries and hedges
/// @param retries of them, after failed attempts
/// @param hedges of them, beside one that ran
/// @param hedgesWon hedges that were answered: the attempt before was cancelled then
/// @param overBudget retries that the budget refused
public record AttemptCounts(
    long attempts, long retries, long hedges, long hedgesWon, long overBudget) {
  /// Nothing.
  public static final AttemptCounts NONE = new AttemptCounts(0, 0, 0, 0, 0);

  /// Both together.
  public AttemptCounts plus(AttemptCounts other) {
    return new AttemptCounts(
        attempts + other.attempts,
        retries + other.retries,
        hedges + other.hedges,
        hedgesWon + other.hedgesWon,
        overBudget + other.overBudget);
  }
}
