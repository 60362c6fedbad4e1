package dev.herdlab.lab.report;

import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.CellResult;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// The report of a run: one HTML file that needs nothing else, for light and dark, with charts as
/// SVG.
///
/// Same run, same bytes. Owner thread: its creator's.
public final class HtmlReport {
  private final RunDocument run;
  private final StringBuilder html = new StringBuilder();

  private HtmlReport(RunDocument run) {
    this.run = run;
  }

  /// The file's text.
  ///
  /// @param samples latencies by cell, as [RunFiles] reads them; empty if they were not kept
  static String of(RunDocument run, List<double[]> samples) {
    HtmlReport report = new HtmlReport(run);
    report.appendHead();
    report.appendReading();
    report.appendQuantiles();
    report.appendTails(samples);
    report.appendBudget();
    report.html.append(ThresholdText.html(run));
    report.html.append(VerdictTable.of(run.cells()));
    report.appendEnvironment();
    report.appendWords();
    return report.html.append("</body></html>\n").toString();
  }

  private void appendHead() {
    String title = Svg.escape(run.experiment());
    html.append("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
        .append("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">")
        .append("<title>Herdlab: ")
        .append(title)
        .append("</title><style>\n")
        .append(style())
        .append("</style></head><body>\n<h1>")
        .append(title)
        .append("</h1>\n");
    if (!run.description().isEmpty()) {
      html.append("<p>").append(Svg.escape(run.description())).append("</p>\n");
    }
    html.append("<p class=\"facts\">").append(Svg.escape(Facts.of(run.cells()))).append("</p>\n");
    List<CellResult.Verdict> verdicts =
        run.cells().stream().flatMap(cell -> cell.verdict().stream()).toList();
    long measured = verdicts.size();
    long valid = verdicts.stream().filter(CellResult.Verdict::valid).count();
    if (measured > 0) {
      html.append("<p>Measured on real sockets: <span class=\"")
          .append(valid == measured ? "good" : "bad")
          .append("\">")
          .append(valid)
          .append(" of ")
          .append(measured)
          .append(" cells are valid</span>.</p>\n");
    }
  }

  private static String style() {
    try (InputStream in = HtmlReport.class.getResourceAsStream("report.css")) {
      if (in == null) {
        throw new IllegalStateException("report.css: not in the jar");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new IllegalStateException("report.css: cannot be read", e);
    }
  }

  private void appendReading() {
    List<String> sentences = Reading.of(run.cells());
    if (!sentences.isEmpty()) {
      html.append("<h2>Reading</h2>\n<ul class=\"reading\">");
      sentences.forEach(
          sentence -> html.append("<li>").append(Svg.escape(sentence)).append("</li>\n"));
      html.append("</ul>\n");
    }
  }

  private void appendQuantiles() {
    html.append("<h2>Latency, measured and in the model</h2>\n")
        .append(
            "<p>Each row is a cell. The measured dot belongs inside the replay's ring: the ring is what")
        .append(
            " the model says for the very same requests with the picks that were really made. The twin")
        .append(
            " makes its own picks; its bar reaches two standard deviations of the coins it flips. The")
        .append(" long model has requests of its own; its bar is a 95 % confidence interval.</p>\n")
        .append("<div class=\"wide\"><figure>")
        .append(QuantileChart.of(run.cells()))
        .append("<ul class=\"legend\"><li><i class=\"measured\"></i>measured</li>")
        .append("<li><i class=\"replay\"></i>replay</li><li><i class=\"twin\"></i>twin ± 2 sd</li>")
        .append("<li><i class=\"model\"></i>long model ± 95 % CI</li></ul></figure></div>\n");
    HtmlTable table =
        new HtmlTable(List.of("", "cell", "units", "p50", "p95", "p99", "mean", "herding"));
    int number = 0;
    for (CellResult cell : run.cells()) {
      number++;
      QuantileRows.add(table, number, cell);
    }
    html.append(table.close());
  }

  private void appendTails(List<double[]> samples) {
    List<CellPlan> plans = run.cells().stream().map(CellResult::plan).toList();
    if (samples.size() == plans.size()) {
      String panels = TailChart.of(plans, samples);
      if (!panels.isEmpty()) {
        html.append("<h2>How many requests took longer</h2>\n")
            .append(
                "<p>For each latency, the share of requests that took longer, from the raw samples.")
            .append(" Where a line crosses 1 % is the p99. Both axes are logarithmic.</p>\n")
            .append(panels);
      }
    }
  }

  private void appendBudget() {
    String chart = BudgetChart.of(run.cells());
    if (chart.isEmpty()) {
      return;
    }
    html.append("<h2>Where the time went that the model does not have</h2>\n")
        .append(
            "<p>Means per request, cut at time stamps. Together with waiting and service they add up to")
        .append(
            " the measured latency; nothing is subtracted from a result.</p>\n<div class=\"wide\">")
        .append(chart)
        .append("</div>\n");
    List<String> parts =
        run.cells().stream()
            .flatMap(cell -> cell.comparison().stream())
            .flatMap(comparison -> comparison.budget().keySet().stream())
            .distinct()
            .toList();
    List<String> headings = new ArrayList<>(List.of("", "mean, µs"));
    parts.forEach(part -> headings.add(Svg.escape(part.replace('_', ' '))));
    headings.add("sum");
    HtmlTable table = new HtmlTable(headings);
    int number = 0;
    for (CellResult cell : run.cells()) {
      number++;
      if (cell.comparison().isPresent()) {
        table.row(budgetRow(number, cell, cell.comparison().get().budget(), parts));
      }
    }
    html.append(table.close());
  }

  private static List<String> budgetRow(
      int number, CellResult cell, Map<String, CellResult.Part> budget, List<String> parts) {
    List<String> row = new ArrayList<>();
    row.add(String.valueOf(number));
    row.add(Svg.escape(cell.plan().algorithm() + ", k=" + cell.plan().proxies()));
    double sum = 0;
    for (String part : parts) {
      CellResult.Part value = budget.get(part);
      double mean = value == null ? 0 : value.mean();
      sum += mean;
      row.add(Figures.micros(Figures.micros(mean, cell.plan())));
    }
    row.add(Figures.micros(Figures.micros(sum, cell.plan())));
    return row;
  }

  private void appendEnvironment() {
    if (run.environment().isEmpty()) {
      return;
    }
    html.append("<h2>Environment</h2>\n<dl>");
    run.environment()
        .forEach(
            (name, value) ->
                html.append("<dt>")
                    .append(Svg.escape(name.replace('_', ' ')))
                    .append("</dt><dd>")
                    .append(Svg.escape(value.toString()))
                    .append("</dd>\n"));
    html.append("</dl>\n");
  }

  private void appendWords() {
    html.append("<h2>Words</h2>\n<dl>");
    Map<String, String> words =
        Map.ofEntries(
            Map.entry("unit", "the model's unit of time; the mean service time is about one"),
            Map.entry(
                "latency", "from the instant a request was meant to be sent to its last byte"),
            Map.entry("k", "number of proxies, each with a balancer of its own"),
            Map.entry("rho", "offered load: arrivals a unit over the sum of the backends' speeds"),
            Map.entry("view", "what a balancer knows of the loads"),
            Map.entry(
                "replay", "the model with the measured picks: what is left is the cost of reality"),
            Map.entry("twin", "the model making its own picks on the same requests"),
            Map.entry("excess", "measured minus replayed, request by request"),
            Map.entry(
                "pick audit",
                "recorded events through a fresh balancer: the picks must be the same"),
            Map.entry(
                "herding",
                "largest share of one interval's picks that one backend got, and the same for random picks"));
    words.entrySet().stream()
        .sorted(Map.Entry.comparingByKey())
        .forEach(
            word ->
                html.append("<dt>")
                    .append(word.getKey())
                    .append("</dt><dd>")
                    .append(word.getValue())
                    .append("</dd>\n"));
    html.append("</dl>\n");
  }
}
