package dev.herdlab.lab.twin;

import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.ModelRun;
import dev.herdlab.simulator.Stability;
import dev.herdlab.workload.RunLog;
import java.util.Arrays;
import java.util.concurrent.ExecutorService;

/// The twin comparison of one measured attempt: measured beside model, explained and judged.
///
/// Owner thread: any (no state). Called after the measurement, never during: the twin's runs take
/// the executor's cores.
public final class Analysis {
  /// Coin seeds of the twin.
  public static final int TWIN_SEEDS = 20;

  private static final double NANOS_PER_SECOND = 1e9;

  private Analysis() {}

  /// Analyses an attempt with [#TWIN_SEEDS] and [Bounds#STANDARD]. Cost: about that many runs
  /// of the model, some milliseconds for 10 000 requests each.
  ///
  /// @param executor runs the twin's models; not shut down
  /// @throws InterruptedException if the thread is interrupted while it waits for the models
  public static CellResult.Comparison analyse(Measurement measurement, ExecutorService executor)
      throws InterruptedException {
    return analyse(measurement, Bounds.STANDARD, TWIN_SEEDS, executor);
  }

  /// Analyses an attempt.
  ///
  /// @param seeds of the twin, 2 or more
  public static CellResult.Comparison analyse(
      Measurement measurement, Bounds bounds, int seeds, ExecutorService executor)
      throws InterruptedException {
    CellPlan plan = measurement.plan();
    Sample sample = Sample.of(measurement);
    Switches switches = Switches.of(measurement);

    long[] replay = replay(measurement, AttemptReplay.From.INTENDED);
    long[] replaySent = replay(measurement, AttemptReplay.From.SENT);
    PickAudit picks = PickAudit.of(measurement, switches);
    ErrorBudget budget = ErrorBudget.of(sample, measurement);
    Timeliness timeliness = Timeliness.of(measurement);
    CellResult.Accounting accounting = Accounts.of(measurement);
    int unexplained = budget.unexplained() + sample.incomplete();

    return new CellResult.Comparison(
        sample.quantiles(),
        sample.quantiles(replay),
        sample.quantiles(replaySent),
        excess(sample, replay, plan.unitNanos()),
        Twin.of(measurement, switches, sample, picks.coins(), seeds, executor),
        new CellResult.Audit(picks.picks(), picks.different()),
        budget.parts(),
        instrument(measurement.readings(), timeliness),
        accounting,
        Herding.of(measurement, switches),
        Criteria.verdict(
            new Criteria.Evidence(
                measurement,
                sample.size(),
                timeliness,
                switches,
                picks,
                RouteAudit.of(measurement, switches),
                StubAudit.of(measurement),
                unexplained,
                accounting),
            bounds),
        stability(measurement, replay));
  }

  private static Stability stability(Measurement measurement, long[] replay) {
    if (!measurement.plan().failures().isEmpty()
        || !measurement.changes().isEmpty()
        || measurement.plan().serving().attempts().isActive()) {
      return Stability.UNKNOWN;
    }
    int[] backends = new int[replay.length];
    Arrays.fill(backends, ModelRun.NO_BACKEND);
    for (RunLog.Entry entry : measurement.run().entries()) {
      if (!entry.attempts().isEmpty()) {
        backends[entry.request()] = measurement.backends().indexOf(entry.last().backend());
      }
    }
    return Stability.of(
        measurement.trace(),
        new Stability.Served() {
          @Override
          public int backend(int i) {
            return backends[i];
          }

          @Override
          public long latencyNanos(int i) {
            return replay[i];
          }
        },
        measurement.plan().capacities(),
        measurement.firstSampled(),
        measurement.plan().unitNanos());
  }

  private static long[] replay(Measurement measurement, AttemptReplay.From from) {
    return AttemptReplay.latencies(
        measurement.trace(),
        measurement.run(),
        measurement.backends(),
        measurement.plan().speeds(),
        measurement.plan().serving(),
        measurement.algorithm().limit(),
        ChangesOnRecord.of(measurement),
        from);
  }

  private static CellResult.Excess excess(Sample sample, long[] replay, long unitNanos) {
    long[] excess = sample.members(replay);
    int negative = 0;
    for (int i = 0; i < excess.length; i++) {
      excess[i] = sample.latencyNanos(i) - excess[i];
      if (excess[i] < 0) {
        negative++;
      }
    }
    Arrays.sort(excess);
    double unit = unitNanos;
    return excess.length == 0
        ? new CellResult.Excess(Double.NaN, Double.NaN, 0)
        : new CellResult.Excess(
            Ranks.at(excess, 0.50) / unit, Ranks.at(excess, 0.99) / unit, negative);
  }

  private static CellResult.Instrument instrument(Readings readings, Timeliness timeliness) {
    return new CellResult.Instrument(
        timeliness.sendLagP99Nanos() / NANOS_PER_SECOND,
        timeliness.latenessP99Nanos() / NANOS_PER_SECOND,
        readings.longestStallNanos() / NANOS_PER_SECOND,
        readings.othersCores(),
        readings.ownCores(),
        readings.gcPauseNanos() / NANOS_PER_SECOND,
        timeliness.achievedRate(),
        readings.scheduling(),
        readings.connectionsOpened());
  }
}
