package dev.herdlab.lab.report;

import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.simulator.Stability;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Results with made-up numbers, for tests of how results are shown.
public final class Samples {
  private static final List<String> PARTS =
      List.of(
          "send_lag",
          "client_to_proxy",
          "pick",
          "proxy_to_backend",
          "queue_wait",
          "service",
          "lateness",
          "way_back");

  private Samples() {}

  /// Round-robin, least-conn and p2c with 16 proxies; least-conn and p2c on stale counts too.
  public static RunDocument run() {
    Map<String, Object> environment = new LinkedHashMap<>();
    environment.put("jvm", "OpenJDK <64-Bit> & Co 25");
    environment.put("cores", 2);
    return new RunDocument(
        "herd",
        "What old counts do.",
        environment,
        List.of(
            cell("round-robin", "local", 1, 18.63, List.of()),
            cell("least-conn", "local", 1, 6.45, List.of()),
            cell("round-robin", "local", 16, 17.02, List.of()),
            cell("least-conn", "shared-stale(refresh=4)", 16, 37.25, List.of()),
            cell(
                "p2c(d=3,draws=distinct)",
                "shared-stale(refresh=4)",
                16,
                12.5,
                List.of("others took 0.31 of a core (limit 0.10)"))));
  }

  static CellPlan plan(String algorithm, String view, int proxies) {
    return new CellPlan(
        10_000_000,
        16,
        Collections.nCopies(16, 1.0),
        Collections.nCopies(16, 1),
        "lognormal(mu=-0.36,sigma=0.85)",
        "poisson",
        "none",
        proxies,
        0.8,
        5000,
        500,
        0,
        algorithm,
        view);
  }

  /// A cell in which every request failed, and one of which no attempt came to its end.
  public static RunDocument withoutNumbers() {
    CellResult sound = cell("p2c", "local", 1, 6, List.of("All failed."));
    Quantiles none = new Quantiles(Double.NaN, Double.NaN, Double.NaN, Double.NaN);
    CellResult.Spread spread = new CellResult.Spread(Double.NaN, Double.NaN, false);
    CellResult.Comparison failed =
        new CellResult.Comparison(
            none,
            none,
            none,
            new CellResult.Excess(Double.NaN, Double.NaN, 0),
            new CellResult.Twin(20, spread, spread, spread, spread),
            new CellResult.Audit(5000, 0),
            Map.of(),
            new CellResult.Instrument(0, 0, 0, Double.NaN, 0.4, 0, 1, "default", 0),
            new CellResult.Accounting(5000, 0, Map.of("connect-failed", 5000L)),
            new CellResult.Herding(0.12, 0.13),
            new CellResult.Verdict(List.of("All failed.")));
    CellResult.Attempt broken =
        CellResult.Attempt.broken("proxy process: ended with exit code 137");
    return new RunDocument(
        "bad",
        "",
        Map.of(),
        List.of(
            cell("round-robin", "local", 1, 6, List.of()),
            new CellResult(
                sound.plan(),
                sound.utilisation(),
                sound.traceSha256(),
                Optional.of(failed),
                Optional.empty(),
                List.of(new CellResult.Attempt(none, failed.verdict()))),
            new CellResult(
                plan("least-conn", "local", 1),
                0.8,
                sound.traceSha256(),
                Optional.empty(),
                sound.model(),
                List.of(broken, broken))));
  }

  /// A cell beside which one backend is sent 2.4 times what it can do.
  public static RunDocument unstable() {
    CellResult sound = cell("round-robin", "local", 1, 6, List.of());
    CellResult.LongModel model = sound.model().orElseThrow();
    return new RunDocument(
        "unstable",
        "",
        Map.of(),
        List.of(
            cell("least-conn", "local", 1, 4, List.of()),
            new CellResult(
                    sound.plan(),
                    sound.utilisation(),
                    sound.traceSha256(),
                    sound.comparison(),
                    Optional.of(
                        new CellResult.LongModel(
                            model.requests(),
                            model.seeds(),
                            model.mean(),
                            model.halfWidth(),
                            List.of(),
                            0,
                            new Stability(2.4, 0.01, 0.467),
                            Map.of())),
                    sound.tried())
                .settled()));
  }

  /// A cell whose quantiles follow from its p99.
  static CellResult cell(
      String algorithm, String view, int proxies, double p99, List<String> reasons) {
    Quantiles measured = new Quantiles(p99 / 8, p99 / 2, p99, p99 / 6);
    Quantiles replay = scaled(measured, 0.98);
    CellResult.Verdict verdict = new CellResult.Verdict(reasons);
    boolean agrees = reasons.isEmpty();
    CellResult.Comparison comparison =
        new CellResult.Comparison(
            measured,
            replay,
            scaled(measured, 0.985),
            new CellResult.Excess(0.0083, 0.031, 7),
            new CellResult.Twin(
                20,
                new CellResult.Spread(measured.p50() * 0.97, 0.02, true),
                new CellResult.Spread(measured.p95() * 0.99, 0.2, true),
                new CellResult.Spread(measured.p99() * 1.02, 0.6, agrees),
                new CellResult.Spread(measured.mean(), 0.05, true)),
            new CellResult.Audit(5000, 0),
            budget(measured.mean()),
            new CellResult.Instrument(
                0.00012, 0.00021, 0.0008, agrees ? 0.02 : 0.31, 0.4, 0, 0.9998, "default", 0),
            agrees
                ? new CellResult.Accounting(5000, 5000, Map.of())
                : new CellResult.Accounting(5000, 4998, Map.of("connect-failed", 2L)),
            new CellResult.Herding(proxies == 1 ? 0.12 : 0.31, 0.13),
            verdict);
    return new CellResult(
        plan(algorithm, view, proxies),
        0.79,
        "0123456789abcdef".repeat(4),
        Optional.of(comparison),
        Optional.of(
            new CellResult.LongModel(300_000, 5, scaled(measured, 1.01), scaled(measured, 0.02))),
        agrees
            ? List.of(new CellResult.Attempt(measured, verdict))
            : List.of(
                new CellResult.Attempt(scaled(measured, 1.1), verdict),
                new CellResult.Attempt(measured, verdict)));
  }

  private static Quantiles scaled(Quantiles all, double factor) {
    return new Quantiles(
        all.p50() * factor, all.p95() * factor, all.p99() * factor, all.mean() * factor);
  }

  /// Parts whose means add up to `mean`.
  private static Map<String, CellResult.Part> budget(double mean) {
    double[] shares = {0.002, 0.003, 0.0001, 0.004, mean - 1.0191, 1.0, 0.005, 0.005};
    Map<String, CellResult.Part> budget = new LinkedHashMap<>();
    for (int i = 0; i < shares.length; i++) {
      budget.put(PARTS.get(i), new CellResult.Part(shares[i], shares[i], 3 * shares[i]));
    }
    return budget;
  }
}
