package dev.herdlab.lab.report;

import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.Threshold;
import dev.herdlab.lab.result.ThresholdCheck;
import java.util.List;
import java.util.Locale;

/// What became of the thresholds, as lines of text: a line for each that was met everywhere, and
/// one for each value that breaks a rule. Owner thread: any (no state).
final class ThresholdText {
  private ThresholdText() {}

  /// Empty if there are no thresholds.
  static List<String> lines(RunDocument run, Ink ink) {
    return run.thresholds().stream()
        .flatMap(
            threshold ->
                lines(
                    run,
                    threshold,
                    run.checks().stream().filter(it -> it.threshold().equals(threshold)).toList(),
                    ink)
                    .stream())
        .toList();
  }

  private static List<String> lines(
      RunDocument run, Threshold threshold, List<ThresholdCheck> checks, Ink ink) {
    List<ThresholdCheck> notMet =
        checks.stream().filter(it -> it.state() != ThresholdCheck.State.MET).toList();
    if (notMet.isEmpty()) {
      return List.of(
          ink.good("met") + "     " + threshold.text() + "  (" + checks.size() + " values)");
    }
    return notMet.stream()
        .map(
            check ->
                (check.state() == ThresholdCheck.State.BROKEN
                        ? ink.bad("BROKEN") + "  "
                        : "not judged  ")
                    + threshold.text()
                    + "  "
                    + sentence(check, run.cells().get(check.cell()).plan()))
        .toList();
  }

  private static String sentence(ThresholdCheck check, CellPlan plan) {
    String limit =
        check.threshold().limit() instanceof Threshold.Limit.OfAlgorithm
            ? ", limit " + number(check.limit())
            : "";
    return String.format(
        Locale.ROOT,
        "cell %d (%s, %s, k=%d), %s: %s%s",
        check.cell() + 1,
        plan.algorithm(),
        plan.view(),
        plan.proxies(),
        check.on().word(),
        number(check.value()),
        limit);
  }

  /// A value or limit.
  static String number(double value) {
    return Double.isNaN(value)
        ? "none"
        : value == Math.rint(value) && Math.abs(value) < 1e9
            ? String.valueOf((long) value)
            : String.format(Locale.ROOT, "%.3f", value);
  }

  /// The report's section; empty if there are no thresholds.
  static String html(RunDocument run) {
    if (run.thresholds().isEmpty()) {
      return "";
    }
    HtmlTable table = new HtmlTable(List.of("threshold", "cell", "", "value", "limit", "came out"));
    for (ThresholdCheck check : run.checks()) {
      CellPlan plan = run.cells().get(check.cell()).plan();
      boolean broken = check.state() == ThresholdCheck.State.BROKEN;
      table.row(
          List.of(
              Svg.escape(check.threshold().text()),
              Svg.escape(Figures.label(check.cell() + 1, plan)),
              check.on().word(),
              number(check.value()),
              number(check.limit()),
              "<span class=\""
                  + (broken ? "bad" : "good")
                  + "\">"
                  + check.state().word()
                  + "</span>"));
    }
    return "<h2>Thresholds</h2>\n" + table.close();
  }
}
