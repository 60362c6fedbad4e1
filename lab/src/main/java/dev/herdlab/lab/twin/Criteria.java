package dev.herdlab.lab.twin;

import dev.herdlab.lab.result.CellResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The verdict's criteria: each is computed, and each that is not met is one sentence with its
/// number and its bound. They judge the instrument and the record, never what the balancer did, and
/// none looks at measured minus model. Owner thread: its caller's.
final class Criteria {
  private final Bounds bounds;
  private final List<String> reasons = new ArrayList<>();

  private Criteria(Bounds bounds) {
    this.bounds = bounds;
  }

  /// What the criteria look at.
  ///
  /// @param sampled requests that the numbers are made of
  record Evidence(
      Measurement measurement,
      int sampled,
      Timeliness timeliness,
      Switches switches,
      PickAudit picks,
      RouteAudit routes,
      StubAudit stub,
      int unexplained,
      CellResult.Accounting accounting) {}

  /// Judges an attempt.
  static CellResult.Verdict verdict(Evidence evidence, Bounds bounds) {
    Criteria criteria = new Criteria(bounds);
    criteria.requests(evidence);
    criteria.instants(evidence);
    criteria.machine(evidence);
    criteria.switches(evidence.switches());
    criteria.records(evidence);
    return new CellResult.Verdict(criteria.reasons);
  }

  private void requests(Evidence evidence) {
    if (evidence.sampled() == 0) {
      reasons.add("No request after the warm-up succeeded (bound: at least one).");
    }
    CellResult.Accounting accounting = evidence.accounting();
    long sent = accounting.sent();
    long planned = evidence.measurement().requests();
    if (sent != planned) {
      String ofPlanned = "of " + planned + " planned requests ";
      reasons.add(by(sent, ofPlanned + "was sent", ofPlanned + "were sent") + " (bound: all).");
    }
    long failed = 0;
    Map<String, Long> unasked = new TreeMap<>(accounting.failed());
    unasked.keySet().removeAll(evidence.measurement().plan().failures());
    for (long count : accounting.failed().values()) {
      failed += count;
    }
    long unaskedFor = 0;
    for (long count : unasked.values()) {
      unaskedFor += count;
    }
    none(unaskedFor, "request failed", "requests failed", ": " + unasked);
    long completed = accounting.completed();
    if (completed + failed != sent) {
      reasons.add(
          by(sent, "request was sent", "requests were sent")
              + ", but "
              + completed
              + " completed and "
              + failed
              + " failed (bound: equal sums).");
    }
    none(
        evidence.unexplained(),
        "request",
        "requests",
        " succeeded without a backend's name or complete stamps in order of time");
  }

  private void instants(Evidence evidence) {
    double unit = evidence.measurement().plan().unitNanos();
    Timeliness timeliness = evidence.timeliness();
    atMostShare("The send lag's p99", timeliness.sendLagP99Nanos() / unit, bounds.sendLagUnits());
    atMostShare(
        "The backends' lateness p99", timeliness.latenessP99Nanos() / unit, bounds.latenessUnits());
    double rate = timeliness.achievedRate();
    if (!(Math.abs(rate - 1) <= bounds.rateShare())) {
      reasons.add(
          "The achieved rate is "
              + two(100 * rate)
              + " % of the planned one (bound: 100 +/- "
              + two(100 * bounds.rateShare())
              + " %).");
    }
  }

  private void machine(Evidence evidence) {
    Measurement measurement = evidence.measurement();
    Readings readings = measurement.readings();
    double unit = measurement.plan().unitNanos();
    long spanNanos =
        measurement.trace().lastIntendedNanos() - measurement.conditions().epochNanos();
    double bound = bounds.stallUnits(measurement.plan().rho(), spanNanos / unit);
    atMostUnits("The longest stall of the machine is", readings.longestStallNanos() / unit, bound);
    atMostUnits("The collector's pauses, summed, are", readings.gcPauseNanos() / unit, bound);
    if (!(readings.othersCores() <= bounds.othersCores())) {
      reasons.add(
          "Other processes took "
              + two(readings.othersCores())
              + " cores (bound: "
              + two(bounds.othersCores())
              + ").");
    }
  }

  /// Whether each proxy had the measured balancer, on one set of backends, while it mattered.
  private void switches(Switches switches) {
    String first = ", first: " + first(switches.first());
    none(
        switches.missing(),
        "proxy has no installation of its balancer on record",
        "proxies have no installation of their balancer on record",
        first);
    none(
        switches.late(),
        "proxy was switched when the sample had begun",
        "proxies were switched when the sample had begun",
        first);
    none(
        switches.foreign(),
        "time somebody else switched a proxy during the cell",
        "times somebody else switched a proxy during the cell",
        first);
    none(
        switches.updates(),
        "time a proxy's backends changed during the cell",
        "times a proxy's backends changed during the cell",
        first);
  }

  private void records(Evidence evidence) {
    Readings readings = evidence.measurement().readings();
    readings
        .loopFailure()
        .ifPresent(
            failure -> reasons.add("A task of a loop failed: " + failure + " (bound: none)."));
    if (evidence.measurement().conditions().end() == Conditions.End.QUIET) {
      none(readings.inFlight(), "request was", "requests were", " in flight at the end");
    }
    PickAudit picks = evidence.picks();
    none(picks.openLeases(), "pick was", "picks were", " never completed");
    String ofPicks = "of " + picks.picks() + " picks ";
    none(
        picks.different(),
        ofPicks + "differs",
        ofPicks + "differ",
        " from a fresh balancer's, first " + first(picks.first()));
    RouteAudit routes = evidence.routes();
    String ofRequests = "of " + routes.compared() + " requests ";
    none(
        routes.different(),
        ofRequests + "was not served where it was sent",
        ofRequests + "were not served where they were sent",
        ", first " + first(routes.first()));
    none(
        routes.unstamped(),
        "pick has no request with its stamps",
        "picks have no request with their stamps",
        ", or the reverse");
    StubAudit stub = evidence.stub();
    String ofServices = "of " + stub.checked() + " services ";
    none(
        stub.violations(),
        ofServices + "contradicts",
        ofServices + "contradict",
        " the backends' arithmetic, first " + first(stub.first()));
  }

  /// Adds a reason if there are any: their number, with its words for one or for several, and the
  /// rest.
  private void none(long count, String one, String several, String rest) {
    if (count != 0) {
      reasons.add(by(count, one, several) + rest + " (bound: 0).");
    }
  }

  private static String by(long count, String one, String several) {
    return count + " " + (count == 1 ? one : several);
  }

  private void atMostShare(String what, double units, double bound) {
    if (!(units <= bound)) {
      reasons.add(
          what + " is " + two(100 * units) + " % of a unit (bound: " + two(100 * bound) + " %).");
    }
  }

  private void atMostUnits(String what, double units, double bound) {
    if (!(units <= bound)) {
      reasons.add(what + " " + two(units) + " units (bound: " + two(bound) + ").");
    }
  }

  private static String first(Optional<String> described) {
    return described.orElse("not described");
  }

  private static String two(double value) {
    return String.format(Locale.ROOT, "%.2f", value);
  }
}
