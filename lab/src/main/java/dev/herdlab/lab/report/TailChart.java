package dev.herdlab.lab.report;

import dev.herdlab.lab.config.CellPlan;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The latency distributions of a run from its raw samples: for each latency, the share of requests
/// that took longer. Cells that differ in algorithm, view or seed alone share a panel. Owner
/// thread: any.
final class TailChart {
  private static final double WIDTH = 440;
  private static final double HEIGHT = 300;
  private static final double LEFT = 52;
  private static final double BOTTOM = 42;
  private static final double LEAST = 0.001;
  private static final int POINTS = 200;

  /// More lines than colours in a panel would not be told apart.
  private static final int COLOURS = 6;

  private TailChart() {}

  /// A panel for each group of cells, with its legend; empty text if there are no samples.
  static String of(List<CellPlan> plans, List<double[]> samples) {
    Map<String, List<Integer>> groups = new LinkedHashMap<>();
    for (int i = 0; i < plans.size(); i++) {
      CellPlan plan = plans.get(i);
      if (samples.get(i).length > 0) {
        String title =
            "k=%d, %d backends, rho %s, unit %s"
                .formatted(
                    plan.proxies(),
                    plan.backends(),
                    Figures.plain(plan.rho()),
                    Figures.duration(plan.unitNanos()));
        groups.computeIfAbsent(title, key -> new ArrayList<>()).add(i);
      }
    }
    StringBuilder html = new StringBuilder();
    groups.forEach(
        (title, all) -> {
          for (int from = 0; from < all.size(); from += COLOURS) {
            List<Integer> cells = all.subList(from, Math.min(all.size(), from + COLOURS));
            html.append(panel(title, cells, plans, samples));
          }
        });
    return html.toString();
  }

  private static String panel(
      String title, List<Integer> cells, List<CellPlan> plans, List<double[]> samples) {
    double low = cells.stream().mapToDouble(cell -> samples.get(cell)[0]).min().orElse(0.1);
    double high =
        cells.stream()
            .mapToDouble(cell -> samples.get(cell)[samples.get(cell).length - 1])
            .max()
            .orElse(1);
    Axis across =
        new Axis(Axis.Scale.LOGARITHMIC, Math.max(low, high / 1000), high, LEFT, WIDTH - 12);
    Axis up = new Axis(Axis.Scale.LOGARITHMIC, LEAST, 1, HEIGHT - BOTTOM, 26);
    Svg svg = new Svg(WIDTH, HEIGHT, "Share of requests that took longer, " + title);
    svg.text("label", LEFT, 14, Svg.Anchor.START, title);
    for (double mark : across.marks()) {
      svg.line("grid", across.at(mark), 26, across.at(mark), HEIGHT - BOTTOM);
      svg.text(
          "faint",
          across.at(mark),
          HEIGHT - BOTTOM + 15,
          Svg.Anchor.MIDDLE,
          Figures.plain(Math.round(mark * 1e6) / 1e6));
    }
    for (double share : new double[] {1, 0.5, 0.1, 0.05, 0.01, 0.001}) {
      svg.line("grid", LEFT, up.at(share), WIDTH - 12, up.at(share));
      svg.text(
          "faint", LEFT - 6, up.at(share) + 4, Svg.Anchor.END, Figures.plain(share * 100) + " %");
    }
    svg.text("faint", WIDTH - 12, HEIGHT - 8, Svg.Anchor.END, "took longer than (units)");
    StringBuilder legend = new StringBuilder("<ul class=\"legend\">");
    boolean seeds = plans.stream().mapToLong(CellPlan::seed).distinct().count() > 1;
    for (int i = 0; i < cells.size(); i++) {
      CellPlan plan = plans.get(cells.get(i));
      svg.path("curve c" + i, curve(samples.get(cells.get(i)), across, up));
      legend
          .append("<li><i class=\"c")
          .append(i)
          .append("\"></i>")
          .append(
              Svg.escape(
                  (cells.get(i) + 1)
                      + " "
                      + plan.algorithm()
                      + ", "
                      + plan.view()
                      + (seeds ? ", seed " + plan.seed() : "")))
          .append("</li>");
    }
    return "<figure>" + svg.close() + legend + "</ul></figure>\n";
  }

  /// Points at shares that are evenly spread on the logarithmic axis.
  private static double[] curve(double[] sorted, Axis across, Axis up) {
    double[] points = new double[2 * (POINTS + 1)];
    for (int i = 0; i <= POINTS; i++) {
      double share = Math.pow(LEAST, (double) i / POINTS);
      int rank = Math.clamp((int) Math.floor(sorted.length * (1 - share)), 0, sorted.length - 1);
      points[2 * i] = across.at(sorted[rank]);
      points[2 * i + 1] = up.at(share);
    }
    return points;
  }
}
