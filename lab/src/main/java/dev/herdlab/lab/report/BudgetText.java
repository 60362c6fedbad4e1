package dev.herdlab.lab.report;

import dev.herdlab.lab.result.CellResult;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/// The error budgets of a run as a table: where the mean latency of each cell went, in
/// microseconds.
///
/// Owner thread: any.
final class BudgetText {
  private static final int LEFT = 30;

  private final List<CellResult> cells;
  private final StringBuilder out;

  BudgetText(List<CellResult> cells, StringBuilder out) {
    this.cells = cells;
    this.out = out;
  }

  void append() {
    Set<String> parts = new LinkedHashSet<>();
    cells.forEach(
        cell ->
            cell.comparison().ifPresent(comparison -> parts.addAll(comparison.budget().keySet())));
    if (parts.isEmpty()) {
      return;
    }
    int width = Math.min(11, (RunText.COLUMNS - LEFT) / (parts.size() + 1));
    out.append("\nwhere the mean latency went, in µs\n");
    appendHeader(new ArrayList<>(parts), width);
    int number = 0;
    for (CellResult cell : cells) {
      number++;
      if (cell.comparison().isPresent()) {
        appendRow(number, cell, cell.comparison().get(), parts, width);
      }
    }
  }

  /// Names of several words stand one word a line, so that columns stay narrow.
  private void appendHeader(List<String> parts, int width) {
    List<List<String>> stacked = new ArrayList<>();
    parts.forEach(part -> stacked.add(List.of(part.split("[ _-]"))));
    stacked.add(List.of("sum"));
    int height = stacked.stream().mapToInt(List::size).max().orElse(1);
    for (int row = 0; row < height; row++) {
      StringBuilder line = new StringBuilder(" ".repeat(LEFT));
      for (List<String> words : stacked) {
        int at = row - (height - words.size());
        line.append(pad(at < 0 ? "" : words.get(at), width));
      }
      out.append(line.toString().stripTrailing()).append('\n');
    }
  }

  private void appendRow(
      int number, CellResult cell, CellResult.Comparison comparison, Set<String> parts, int width) {
    String name =
        String.format(
            Locale.ROOT, "%3d %s k=%d", number, cell.plan().algorithm(), cell.plan().proxies());
    out.append(
        String.format(
            Locale.ROOT,
            "%-" + LEFT + "s",
            name.length() < LEFT ? name : name.substring(0, LEFT - 2) + "…"));
    double sum = 0;
    for (String part : parts) {
      CellResult.Part value = comparison.budget().get(part);
      double mean = value == null ? 0 : value.mean();
      sum += mean;
      out.append(pad(Figures.micros(Figures.micros(mean, cell.plan())), width));
    }
    out.append(pad(Figures.micros(Figures.micros(sum, cell.plan())), width)).append('\n');
  }

  private static String pad(String text, int width) {
    String shown = text.length() < width ? text : text.substring(0, width - 1);
    return " ".repeat(width - shown.length()) + shown;
  }
}
