package dev.herdlab.lab.conduct;

import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.lab.config.Cell;

/// How many events the record of a phase needs room for.
///
/// Owner thread: any (no state).
final class RecordRoom {
  /// A pick and its end, and the copies of a view with their contents.
  private static final int OF_EVERY_REQUEST = 4;

  private static final int OF_A_REPORT = 4;
  private static final int OF_AN_ANSWER = 2;

  /// Waits, where there is a limit: a guess for lists of a few requests, each asked for in vain as
  /// often as others end before it.
  private static final int OF_WAITS = 8;

  /// Picks that are tried to see how many probes a request brings: enough for a sixteenth of one.
  private static final int TRIALS = 16;

  private RecordRoom() {}

  /// Events for each request of all proxies. Makes a balancer of the cell's algorithm, asks it what
  /// it wants, lets it pick a few times, and throws it away.
  static int eventsPerRequest(Cell cell) {
    int[] probes = new int[1];
    Ports ports =
        new Ports(
            () -> 0,
            SeededRandom.of(0, "trial", 0),
            (delayNanos, task) -> {},
            index -> probes[0]++);
    LoadBalancer trial = cell.algorithm().create(cell.backends(), index -> 0, ports);
    for (int i = 0; i < TRIALS; i++) {
      var _ = trial.pick(PickContext.PLAIN);
    }
    LoadBalancer.Wants wants = trial.wants();
    boolean reports = wants.loadReports() || cell.view() instanceof ViewSpec.Reported;
    return OF_EVERY_REQUEST
        + (reports ? OF_A_REPORT : 0)
        + (wants.idleChoices() > 0 ? 1 : 0)
        + (wants.cookies() ? 1 : 0)
        + (cell.algorithm().limit() == ConfiguredAlgorithm.NO_LIMIT ? 0 : OF_WAITS)
        + OF_AN_ANSWER * Math.ceilDiv(probes[0], TRIALS);
  }
}
