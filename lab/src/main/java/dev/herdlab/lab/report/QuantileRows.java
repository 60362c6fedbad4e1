package dev.herdlab.lab.report;

import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.simulator.Stability;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The rows of one cell in the report's table of latencies. Owner thread: any.
final class QuantileRows {
  private QuantileRows() {}

  static void add(HtmlTable table, int number, CellResult cell) {
    CellPlan plan = cell.plan();
    List<List<String>> rows = new ArrayList<>();
    if (cell.isUnstable()) {
      cell.comparison().ifPresent(it -> rows.add(unstableRow("measured", it.stability())));
      cell.model().ifPresent(it -> rows.add(unstableRow("long model", it.stability())));
    } else {
      cell.comparison().ifPresent(comparison -> addComparison(rows, comparison));
      cell.model().ifPresent(model -> rows.add(modelRow(model)));
    }
    List<String> names =
        List.of(
            Svg.escape(plan.algorithm()),
            "<span class=\"facts\">" + Svg.escape(plan.view()) + "</span>",
            "<span class=\"facts\">k=" + plan.proxies() + ", seed " + plan.seed() + "</span>");
    int height = Math.max(rows.size(), names.size());
    for (int i = 0; i < height; i++) {
      List<String> row = new ArrayList<>();
      row.add(i == 0 ? String.valueOf(number) : "");
      row.add(i < names.size() ? names.get(i) : "");
      row.addAll(i < rows.size() ? rows.get(i) : List.of("", "", "", "", "", ""));
      table.row(i == height - 1 ? HtmlTable.Rule.BELOW : HtmlTable.Rule.NONE, row);
    }
  }

  private static List<String> unstableRow(String name, Stability stability) {
    return List.of(name, Figures.growth(stability), "", "", "", "");
  }

  private static void addComparison(List<List<String>> rows, CellResult.Comparison comparison) {
    Quantiles measured = comparison.measured();
    rows.add(
        List.of(
            "measured",
            strong(measured.p50()),
            strong(measured.p95()),
            strong(measured.p99()),
            strong(measured.mean()),
            String.format(
                Locale.ROOT,
                "%.2f (random %.2f)",
                comparison.herding().index(),
                comparison.herding().underRandom())));
    Quantiles replay = comparison.replay();
    rows.add(
        List.of(
            "replay",
            against(replay.p50(), measured.p50()),
            against(replay.p95(), measured.p95()),
            against(replay.p99(), measured.p99()),
            against(replay.mean(), measured.mean()),
            ""));
    CellResult.Twin twin = comparison.twin();
    rows.add(
        List.of(
            "twin",
            against(twin.p50(), measured.p50()),
            against(twin.p95(), measured.p95()),
            against(twin.p99(), measured.p99()),
            against(twin.mean(), measured.mean()),
            ""));
  }

  private static String strong(double units) {
    return "<b>" + Figures.units(units) + "</b>";
  }

  private static String against(double model, double measured) {
    return Figures.units(model) + " (" + Figures.difference(measured, model) + ")";
  }

  private static String against(CellResult.Spread spread, double measured) {
    String text = Figures.units(spread.mean()) + " ± " + Figures.units(spread.sd());
    String difference = Figures.difference(measured, spread.mean());
    return spread.agrees()
        ? text + " (" + difference + ")"
        : text + " (<span class=\"bad\">" + difference + "</span>)";
  }

  private static List<String> modelRow(CellResult.LongModel model) {
    Quantiles mean = model.mean();
    Quantiles half = model.halfWidth();
    boolean interval = model.seeds() > 1;
    return List.of(
        "long model",
        Figures.units(mean.p50()) + (interval ? " ± " + Figures.units(half.p50()) : ""),
        Figures.units(mean.p95()) + (interval ? " ± " + Figures.units(half.p95()) : ""),
        Figures.units(mean.p99()) + (interval ? " ± " + Figures.units(half.p99()) : ""),
        Figures.units(mean.mean()) + (interval ? " ± " + Figures.units(half.mean()) : ""),
        "");
  }
}
