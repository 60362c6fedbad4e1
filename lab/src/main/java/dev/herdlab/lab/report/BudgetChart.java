package dev.herdlab.lab.report;

import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.CellResult;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/// The error budget as stacked bars: the parts of the mean latency that the model does not have, in
/// microseconds. Waiting and service, which it has, are left out here: they are far longer. Owner
/// thread: any.
final class BudgetChart {
  private static final Set<String> MODELLED = Set.of("queue_wait", "service");
  private static final CellResult.Part NOTHING = new CellResult.Part(0, 0, 0);
  private static final double LEFT = 250;
  private static final double WIDTH = 700;
  private static final double ROW = 26;

  private BudgetChart() {}

  /// Empty text if nothing was measured.
  static String of(List<CellResult> cells) {
    Set<String> parts = new LinkedHashSet<>();
    cells.forEach(cell -> cell.comparison().ifPresent(c -> parts.addAll(c.budget().keySet())));
    parts.removeAll(MODELLED);
    if (parts.isEmpty()) {
      return "";
    }
    double high = cells.stream().mapToDouble(cell -> sum(cell, parts)).max().orElse(1);
    double bottom = 8 + cells.size() * ROW;
    Axis axis = Axis.fromZero(high, LEFT, LEFT + WIDTH);
    Svg svg = new Svg(LEFT + WIDTH + 20, bottom + 40, "Mean time outside queues and service");
    for (double mark : axis.marks()) {
      svg.line("grid", axis.at(mark), 2, axis.at(mark), bottom);
      svg.text("faint", axis.at(mark), bottom + 15, Svg.Anchor.MIDDLE, Figures.plain(mark));
    }
    svg.text("faint", LEFT + WIDTH, bottom + 32, Svg.Anchor.END, "µs, mean");
    for (int i = 0; i < cells.size(); i++) {
      bar(svg, cells.get(i), i, parts, axis);
    }
    StringBuilder html = new StringBuilder("<figure>").append(svg.close());
    html.append("<ul class=\"legend\">");
    int colour = 0;
    for (String part : parts) {
      html.append("<li><i class=\"c")
          .append(colour++)
          .append("\"></i>")
          .append(Svg.escape(part.replace('_', ' ')))
          .append("</li>");
    }
    return html.append("</ul></figure>\n").toString();
  }

  private static void bar(Svg svg, CellResult cell, int row, Set<String> parts, Axis axis) {
    CellPlan plan = cell.plan();
    double y = 8 + row * ROW;
    svg.text("label", 0, y + 14, Svg.Anchor.START, Figures.label(row + 1, plan));
    double done = 0;
    int colour = 0;
    for (String part : parts) {
      double micros = micros(cell, part);
      double from = axis.at(done);
      // A gap of one pixel keeps neighbours apart.
      svg.rect("bar c" + colour++, from, y + 3, axis.at(done + micros) - from - 1, ROW - 8);
      done += micros;
    }
  }

  private static double sum(CellResult cell, Set<String> parts) {
    double sum = 0;
    for (String part : parts) {
      sum += micros(cell, part);
    }
    return sum;
  }

  /// Mean of a part in microseconds; 0 if the cell has none, or if clocks made it negative.
  private static double micros(CellResult cell, String part) {
    return cell.comparison()
        .map(comparison -> comparison.budget().getOrDefault(part, NOTHING))
        .map(value -> Math.max(0, Figures.micros(value.mean(), cell.plan())))
        .orElse(0.0);
  }
}
