package dev.herdlab.lab.report;

import dev.herdlab.lab.result.CellResult;
import java.util.List;
import java.util.Optional;

/// Measured latency beside the model's, one row for each cell and one panel for each quantile: dots
/// where they are, bars for what chance alone explains. Owner thread: any.
final class QuantileChart {
  private static final double LEFT = 250;
  private static final double PANEL = 230;
  private static final double GAP = 36;
  private static final double TOP = 34;
  private static final double ROW = 34;

  private QuantileChart() {}

  /// One of the three panels.
  private enum Quantile {
    P50("p50 (median)"),
    P95("p95"),
    P99("p99");

    final String title;

    Quantile(String title) {
      this.title = title;
    }

    private double of(dev.herdlab.simulator.Quantiles quantiles) {
      return switch (this) {
        case P50 -> quantiles.p50();
        case P95 -> quantiles.p95();
        case P99 -> quantiles.p99();
      };
    }

    private CellResult.Spread of(CellResult.Twin twin) {
      return switch (this) {
        case P50 -> twin.p50();
        case P95 -> twin.p95();
        case P99 -> twin.p99();
      };
    }
  }

  static String of(List<CellResult> cells) {
    double height = TOP + cells.size() * ROW + 40;
    double width = LEFT + 3 * PANEL + 2 * GAP + 12;
    Svg svg = new Svg(width, height, "Latency of each cell, measured and in the model");
    for (int i = 0; i < cells.size(); i++) {
      double y = TOP + i * ROW + ROW / 2;
      CellResult cell = cells.get(i);
      svg.text("label", 0, y - 3, Svg.Anchor.START, Figures.label(i + 1, cell.plan()));
      svg.text("faint", 14, y + 11, Svg.Anchor.START, cell.plan().view());
    }
    double left = LEFT;
    for (Quantile quantile : Quantile.values()) {
      panel(svg, cells, quantile, left);
      left += PANEL + GAP;
    }
    return svg.close();
  }

  private static void panel(Svg svg, List<CellResult> cells, Quantile quantile, double left) {
    double bottom = TOP + cells.size() * ROW;
    double high = cells.stream().mapToDouble(cell -> highest(cell, quantile)).max().orElse(1);
    Axis axis = Axis.fromZero(high, left, left + PANEL);
    svg.text("label", left, 16, Svg.Anchor.START, quantile.title);
    for (double mark : axis.marks()) {
      svg.line("grid", axis.at(mark), TOP - 6, axis.at(mark), bottom);
      svg.text("faint", axis.at(mark), bottom + 15, Svg.Anchor.MIDDLE, Figures.plain(round(mark)));
    }
    svg.text("faint", left + PANEL, bottom + 32, Svg.Anchor.END, "latency, units");
    for (int i = 0; i < cells.size(); i++) {
      row(svg, cells.get(i), quantile, axis, TOP + i * ROW + ROW / 2);
    }
  }

  /// Three lines of marks: the long model, the twin with its interval, measured over replay.
  private static void row(Svg svg, CellResult cell, Quantile quantile, Axis axis, double y) {
    cell.model()
        .filter(CellResult.LongModel::hasSample)
        .ifPresent(
            model -> {
              double mean = quantile.of(model.mean());
              double half = model.seeds() > 1 ? quantile.of(model.halfWidth()) : 0;
              svg.line("model", axis.at(mean - half), y + 9, axis.at(mean + half), y + 9);
              svg.rect("modelmark", axis.at(mean) - 1.5, y + 5, 3, 8);
            });
    Optional<CellResult.Comparison> comparison =
        cell.comparison().filter(CellResult.Comparison::hasSample);
    if (comparison.isEmpty()) {
      return;
    }
    CellResult.Spread twin = quantile.of(comparison.get().twin());
    double reach = 2 * twin.sd();
    svg.line("twin", axis.at(twin.mean() - reach), y, axis.at(twin.mean() + reach), y);
    svg.rect("twinmark", axis.at(twin.mean()) - 1.5, y - 4, 3, 8);
    svg.circle("replay", axis.at(quantile.of(comparison.get().replay())), y - 9, 5);
    String style = comparison.get().verdict().valid() ? "measured" : "measured invalid";
    svg.circle(style, axis.at(quantile.of(comparison.get().measured())), y - 9, 3);
  }

  private static double highest(CellResult cell, Quantile quantile) {
    double model =
        cell.model()
            .filter(CellResult.LongModel::hasSample)
            .map(
                long_ ->
                    quantile.of(long_.mean())
                        + (long_.seeds() > 1 ? quantile.of(long_.halfWidth()) : 0))
            .orElse(0.0);
    double compared =
        cell.comparison()
            .filter(CellResult.Comparison::hasSample)
            .map(
                comparison ->
                    Math.max(
                        Math.max(
                            quantile.of(comparison.measured()), quantile.of(comparison.replay())),
                        quantile.of(comparison.twin()).mean()
                            + 2 * quantile.of(comparison.twin()).sd()))
            .orElse(0.0);
    return Math.max(model, compared);
  }

  private static double round(double mark) {
    return Math.round(mark * 1e6) / 1e6;
  }
}
