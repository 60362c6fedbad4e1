package dev.herdlab.lab.run;

import dev.herdlab.lab.config.Cell;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.ProxyLaw;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The load that lets the JIT compile before a clock starts: first at half the run's rate, while
/// code is cold and would fall behind; then, with services scaled down, at several times it, so
/// that every path is taken often enough for the optimising compiler; last at the run's own.
///
/// Owner thread: any (no state).
final class BurnIn {
  /// Requests a second at the fast stage at most: what cold code still keeps up with on one core.
  private static final double FASTEST_PER_SECOND = 6_000;

  private static final double NANOS_PER_SECOND = 1e9;

  /// One stage.
  ///
  /// @param speedup how many times the cell's rate
  /// @param share of the whole length
  private record Stage(double speedup, double share) {}

  private static final Stage FAST = new Stage(Double.MAX_VALUE, 1);

  /// What the first cell gets where there are several: most paths are the same for all of them.
  private static final double FIRST_SHARE = 0.5;

  // Where the cell has no steady state, the burn-in still must.
  private static final double HIGHEST_RHO = 0.8;

  private BurnIn() {}

  /// A cell, and what is played on its sockets; nothing if there is no time.
  record Part(Cell cell, List<Trace> traces) {}

  /// One part for each distinct algorithm and view, with the most proxies that any cell has it
  /// with. The first goes through all stages, while code is cold; the others, at the fast stage,
  /// share the rest of the time, so that no measured run is the first to take its balancer's paths.
  static List<Part> parts(List<Cell> cells, long lengthNanos) {
    List<Cell> kinds = kinds(cells);
    int others = kinds.size() - 1;
    long firstNanos = others == 0 ? lengthNanos : (long) (FIRST_SHARE * lengthNanos);
    List<Part> parts = new ArrayList<>();
    parts.add(new Part(kinds.getFirst(), traces(kinds.getFirst(), firstNanos)));
    for (Cell kind : kinds.subList(1, kinds.size())) {
      Trace trace = trace(kind, FAST, (lengthNanos - firstNanos) / others);
      if (trace.size() > 0) {
        parts.add(new Part(kind, List.of(trace)));
      }
    }
    return parts;
  }

  private record Kind(String algorithm, String view) {}

  private static List<Cell> kinds(List<Cell> cells) {
    Map<Kind, Cell> kinds = new LinkedHashMap<>();
    for (Cell cell : cells) {
      kinds.merge(
          new Kind(cell.plan().algorithm(), cell.plan().view()),
          cell,
          (one, other) -> other.plan().proxies() > one.plan().proxies() ? other : one);
    }
    return List.copyOf(kinds.values());
  }

  /// The stages' traces, in order; none if there is no time.
  static List<Trace> traces(Cell cell, long lengthNanos) {
    return List.of(new Stage(0.5, 0.15), new Stage(Double.MAX_VALUE, 0.6), new Stage(1, 0.25))
        .stream()
        .map(stage -> trace(cell, stage, lengthNanos))
        .filter(trace -> trace.size() > 0)
        .toList();
  }

  private static Trace trace(Cell cell, Stage stage, long lengthNanos) {
    double perUnit = cell.plan().arrivalsPerUnit() * Math.min(1, HIGHEST_RHO / cell.plan().rho());
    double ratePerSecond = perUnit * NANOS_PER_SECOND / cell.plan().unitNanos();
    double rate = Math.min(FASTEST_PER_SECOND, ratePerSecond * stage.speedup());
    long unitNanos = Math.max(1, Math.round(perUnit * NANOS_PER_SECOND / rate));
    int requests = (int) (stage.share() * lengthNanos / NANOS_PER_SECOND * rate);
    return Trace.generate(
        cell.plan().seed(),
        requests,
        cell.plan().proxies(),
        ProxyLaw.UNIFORM,
        ArrivalProcess.parse("poisson", perUnit, unitNanos),
        ServiceLaw.parse("exponential"),
        cell.tenants(),
        unitNanos);
  }
}
