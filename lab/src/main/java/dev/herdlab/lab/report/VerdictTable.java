package dev.herdlab.lab.report;

import dev.herdlab.lab.result.CellResult;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// The report's section on whether the run may be trusted. Owner thread: any.
final class VerdictTable {
  private static final List<String> HEADINGS =
      List.of(
          "",
          "verdict",
          "attempts",
          "sent",
          "failed",
          "excess p50 / p99, µs",
          "send lag p99, µs",
          "lateness p99, µs",
          "longest stall, ms",
          "CPU others / own, cores",
          "GC pauses, summed, ms",
          "rate achieved",
          "picks audited / different",
          "reasons");

  private VerdictTable() {}

  /// Empty text if nothing was measured.
  static String of(List<CellResult> cells) {
    HtmlTable table = new HtmlTable(HEADINGS);
    boolean any = false;
    int number = 0;
    for (CellResult cell : cells) {
      number++;
      if (cell.comparison().isPresent()) {
        any = true;
        table.row(row(number, cell, cell.comparison().get()));
      } else if (cell.verdict().isPresent()) {
        any = true;
        table.row(broken(number, cell, cell.verdict().get()));
      }
    }
    return any
        ? "<h2>May it be trusted?</h2>\n<p>No criterion looks at measured minus model: a run is judged by"
            + " what it shows of the instrument.</p>\n"
            + table.close()
        : "";
  }

  /// A cell of which no attempt came to its end.
  private static List<String> broken(int number, CellResult cell, CellResult.Verdict verdict) {
    List<String> row = new ArrayList<>();
    row.add(String.valueOf(number));
    row.add("<span class=\"bad\">not valid</span>");
    row.add(String.valueOf(cell.tried().size()));
    row.addAll(Collections.nCopies(HEADINGS.size() - 4, ""));
    row.add(reasons(verdict));
    return row;
  }

  private static List<String> row(int number, CellResult cell, CellResult.Comparison comparison) {
    CellResult.Instrument instrument = comparison.instrument();
    boolean valid = comparison.verdict().valid();
    List<String> row = new ArrayList<>();
    row.add(String.valueOf(number));
    row.add(valid ? "<span class=\"good\">valid</span>" : "<span class=\"bad\">not valid</span>");
    row.add(String.valueOf(cell.tried().size()));
    row.add(String.valueOf(comparison.accounting().sent()));
    row.add(failed(comparison.accounting().failed()));
    row.add(
        Figures.micros(Figures.micros(comparison.excess().p50(), cell.plan()))
            + " / "
            + Figures.micros(Figures.micros(comparison.excess().p99(), cell.plan())));
    row.add(Figures.micros(instrument.sendLagP99() * 1e6));
    row.add(Figures.micros(instrument.latenessP99() * 1e6));
    row.add(number(instrument.longestStall() * 1e3));
    row.add(number(instrument.othersCores()) + " / " + number(instrument.ownCores()));
    row.add(number(instrument.gcPause() * 1e3));
    row.add(String.format(Locale.ROOT, "%.1f %%", instrument.achievedRate() * 100));
    row.add(comparison.audit().picks() + " / " + comparison.audit().different());
    row.add(reasons(comparison.verdict()));
    return row;
  }

  private static String reasons(CellResult.Verdict verdict) {
    return "<span class=\"reasons\">"
        + Svg.escape(String.join("; ", verdict.reasons()))
        + "</span>";
  }

  private static String failed(Map<String, Long> failed) {
    List<String> causes = new ArrayList<>();
    failed.forEach((cause, count) -> causes.add(count + " " + Svg.escape(cause)));
    return causes.isEmpty() ? "0" : String.join(", ", causes);
  }

  private static String number(double value) {
    return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, "%.2f", value);
  }
}
