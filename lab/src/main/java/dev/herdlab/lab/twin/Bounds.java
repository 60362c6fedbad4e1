package dev.herdlab.lab.twin;

/// The bounds of the verdict. None of them looks at measured minus model. Owner thread: any
/// (immutable).
///
/// @param sendLagUnits most that the p99 of the send lag may be. One twentieth of a unit is 5 % of
///     a mean service time, added to one request in a hundred; the median request is then far below
///     that
/// @param latenessUnits the same for the p99 of the backends' lateness
/// @param shiftUnits most that the longest stall may move a quantile, see [#stallUnits]. A
///     hundredth of a unit is about 1 % of the smallest quantile of the default experiments (0.88
///     units, the median of least-conn behind one proxy), and 1 % is the twin's tolerance
/// @param othersCores CPU that other processes may take, in cores. A prototype was right within 2 %
///     with less on two cores, and wrong by 11 % at the median with a third of a core
/// @param rateShare most that the achieved rate may differ from the planned one, as a share.
///     Response times go as 1 / (1 - rho): a rate that is 0.25 % off moves them by 0.25 % of
///     rho / (1 - rho), which is 1 % at rho = 0.8, the twin's tolerance
public record Bounds(
    double sendLagUnits,
    double latenessUnits,
    double shiftUnits,
    double othersCores,
    double rateShare) {
  /// Those of every run that the lab starts.
  public static final Bounds STANDARD = new Bounds(0.05, 0.05, 0.01, 0.10, 0.0025);

  /// Those of a running system, which has Prometheus, a board and health checks beside it: they are
  /// no components, so they count as others, and took 0.17 to 0.19 cores. What they disturb shows
  /// in the send lag, the lateness and the stalls, whose bounds are the same.
  public static final Bounds RUNNING_SYSTEM = new Bounds(0.05, 0.05, 0.01, 0.25, 0.0025);

  /// The highest utilisation that [#stallUnits] reckons with: nearer to 1 a busy period has no
  /// useful length.
  private static final double HIGHEST_RHO = 0.95;

  /// The longest stall that a run may have, in units.
  ///
  /// Derivation. A stall of S units holds up the sends and the completions that fall into it, each
  /// by S / 2 on average, and empties the queues of the backends meanwhile; the work that they miss
  /// stays as a backlog until the busy period ends, S / (1 - rho) later. So about S (1 + 1 / (1 -
  /// rho)) of the run's T units are touched, by S / 2 on average, and since a small delay of a
  /// share of all requests moves any quantile by share times delay, quantiles move by S^2 (1 + 1 /
  /// (1 - rho)) / (2 T). Set equal to [#shiftUnits] and solved for S. For T = 2000 units at rho =
  /// 0.8 it is 2.6 units.
  ///
  /// @param rho offered load
  /// @param spanUnits length of the run
  double stallUnits(double rho, double spanUnits) {
    double touched = 1 + 1 / (1 - Math.min(rho, HIGHEST_RHO));
    return Math.sqrt(2 * shiftUnits * spanUnits / touched);
  }
}
