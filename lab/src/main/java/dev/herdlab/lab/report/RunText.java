package dev.herdlab.lab.report;

import dev.herdlab.balancer.AttemptCounts;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.simulator.Stability;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A run as text of at most 120 columns: measured beside replay, twin and model for each cell, the
/// error budget, what is wrong, and a reading in plain words. Owner thread: any.
public final class RunText {
  /// The widest line.
  static final int COLUMNS = 120;

  private static final int LEFT = 34;
  private static final int MODEL_LEFT = 72;

  private final RunDocument run;
  private final Ink ink;
  private final boolean measured;
  private final StringBuilder out = new StringBuilder();

  private RunText(RunDocument run, Ink ink) {
    this.run = run;
    this.ink = ink;
    this.measured = run.cells().stream().anyMatch(cell -> cell.verdict().isPresent());
  }

  /// The text, with a line break at its end.
  public static String of(RunDocument run, Ink ink) {
    RunText text = new RunText(run, ink);
    text.appendTitle();
    text.appendCells();
    new BudgetText(run.cells(), text.out).append();
    text.appendFailures();
    text.appendThresholds();
    text.appendReading();
    return text.out.toString();
  }

  private void line(String text) {
    out.append(text.stripTrailing()).append('\n');
  }

  private void appendTitle() {
    line(ink.strong(run.experiment()) + (run.description().isEmpty() ? "" : ":"));
    TextLines.wrap(run.description(), COLUMNS - 2).forEach(part -> line("  " + part));
    line("  " + Facts.of(run.cells()));
    line("");
  }

  private void appendCells() {
    line(
        left("latency in units")
            + String.format(Locale.ROOT, "%-9s%7s%9s%7s%9s%7s", "", "p50", "", "p95", "", "p99"));
    int number = 1;
    for (CellResult cell : run.cells()) {
      appendCell(number++, cell);
    }
    line("");
    if (measured) {
      line(
          "  measured: on sockets. replay: the model with the measured picks. twin: the model's own picks.");
      line("  % is measured against that row; != marks a difference that chance does not explain.");
    }
    if (run.cells().stream()
        .flatMap(cell -> cell.comparison().stream())
        .anyMatch(comparison -> !comparison.twin().hasCoins())) {
      line(
          "  An algorithm that flips no coins is judged by its picks alone: != marks that the twin's are others.");
    }
    if (run.cells().stream().flatMap(cell -> cell.model().stream()).anyMatch(m -> m.seeds() > 1)) {
      line("  model: the model alone on requests of its own, ± half its 95 % confidence interval.");
    }
    if (run.cells().stream().anyMatch(CellResult::isUnstable)) {
      line(
          "  unstable: some backend is sent more work than it can do; latency grows as long as it runs.");
    }
  }

  private void appendCell(int number, CellResult cell) {
    CellPlan plan = cell.plan();
    List<String> rows = new ArrayList<>();
    List<String> notes = new ArrayList<>();
    cell.verdict()
        .ifPresent(
            verdict ->
                notes.add(verdict.valid() ? ink.good("valid") : ink.bad("NOT VALID (see below)")));
    cell.comparison().ifPresent(comparison -> addNotes(notes, plan, comparison));
    if (cell.isUnstable()) {
      cell.comparison().ifPresent(it -> rows.add(unstableRow("measured", it.stability())));
      cell.model().ifPresent(it -> rows.add(unstableRow("model", it.stability())));
    } else {
      cell.comparison().ifPresent(comparison -> addComparison(rows, comparison));
      cell.model().ifPresent(model -> rows.add(modelRow(model)));
    }
    if (cell.tried().size() > 1) {
      notes.add(cell.tried().size() + " attempts");
    }
    List<String> names = names(plan);
    for (int i = 0; i < Math.max(names.size(), Math.max(rows.size(), notes.size())); i++) {
      String name = i < names.size() ? names.get(i) : "";
      line(
          left(String.format(Locale.ROOT, "%3s ", i == 0 ? number : "") + name)
              + String.format(Locale.ROOT, "%-56s ", i < rows.size() ? rows.get(i) : "")
              + (i < notes.size() ? notes.get(i) : ""));
    }
  }

  /// Three lines or more beside measured rows, one where the model is alone if it fits.
  private List<String> names(CellPlan plan) {
    String rest =
        "k=" + plan.proxies() + (seeds() > 1 ? ", seed " + plan.seed() : "") + varying(plan);
    if (!measured) {
      return TextLines.wrap(plan.algorithm() + ", " + plan.view() + ", " + rest, MODEL_LEFT - 5);
    }
    List<String> names = new ArrayList<>();
    names.addAll(TextLines.wrap(plan.algorithm(), LEFT - 5));
    names.addAll(TextLines.wrap(plan.view(), LEFT - 5));
    names.addAll(TextLines.wrap(rest, LEFT - 5));
    return names;
  }

  /// What tells cells apart besides algorithm, view, proxies and seed.
  private String varying(CellPlan plan) {
    List<CellPlan> plans = run.cells().stream().map(CellResult::plan).toList();
    StringBuilder text = new StringBuilder();
    if (plans.stream().map(CellPlan::unitNanos).distinct().count() > 1) {
      text.append(", unit ").append(Figures.duration(plan.unitNanos()));
    }
    if (plans.stream().map(CellPlan::backends).distinct().count() > 1) {
      text.append(", n=").append(plan.backends());
    }
    if (plans.stream().map(CellPlan::serving).distinct().count() > 1) {
      text.append(ServingText.of(plan));
    }
    if (plans.stream().map(CellPlan::events).distinct().count() > 1 && !plan.events().isEmpty()) {
      text.append(", ").append(String.join("; ", plan.events().texts()));
    }
    if (plans.stream().map(CellPlan::rho).distinct().count() > 1) {
      text.append(", rho ").append(Figures.plain(Math.round(plan.rho() * 1e4) / 1e4));
    }
    if (plans.stream().map(CellPlan::speeds).distinct().count() > 1) {
      text.append(", speeds ").append(Figures.each(plan.speeds()));
    }
    if (plans.stream().map(CellPlan::weights).distinct().count() > 1) {
      text.append(", weights ").append(Figures.each(plan.weights()));
    }
    for (Function<CellPlan, String> law :
        List.<Function<CellPlan, String>>of(
            CellPlan::service, CellPlan::arrivals, CellPlan::tenants, CellPlan::proxyChoice)) {
      if (plans.stream().map(law).distinct().count() > 1) {
        text.append(", ").append(law.apply(plan));
      }
    }
    return text.toString();
  }

  private long seeds() {
    return run.cells().stream().map(cell -> cell.plan().seed()).distinct().count();
  }

  private String left(String text) {
    return String.format(Locale.ROOT, "%-" + (measured ? LEFT : MODEL_LEFT) + "s", text);
  }

  private static String unstableRow(String name, Stability stability) {
    return String.format(Locale.ROOT, "%-9s%s", name, Figures.growth(stability));
  }

  private static void addComparison(List<String> rows, CellResult.Comparison comparison) {
    Quantiles measured = comparison.measured();
    rows.add(row("measured", measured, "", "", ""));
    rows.add(
        row(
            "replay",
            comparison.replay(),
            Figures.difference(measured.p50(), comparison.replay().p50()),
            Figures.difference(measured.p95(), comparison.replay().p95()),
            Figures.difference(measured.p99(), comparison.replay().p99())));
    CellResult.Twin twin = comparison.twin();
    rows.add(
        row(
            "twin",
            new Quantiles(
                twin.p50().mean(), twin.p95().mean(), twin.p99().mean(), twin.mean().mean()),
            against(measured.p50(), twin.p50()),
            against(measured.p95(), twin.p95()),
            against(measured.p99(), twin.p99())));
  }

  private void addNotes(List<String> notes, CellPlan plan, CellResult.Comparison comparison) {
    notes.add(
        "excess p50 " + Figures.micros(Figures.micros(comparison.excess().p50(), plan)) + " µs");
    notes.add(
        String.format(
            Locale.ROOT,
            "herding %.2f (random %.2f)",
            comparison.herding().index(),
            comparison.herding().underRandom()));
    if (comparison.instrument().connectionsOpened() > 0) {
      notes.add("connections opened late: " + comparison.instrument().connectionsOpened());
    }
    if (comparison.audit().different() > 0) {
      notes.add(ink.bad(comparison.audit().different() + " picks differ"));
    }
  }

  private static String against(double measured, CellResult.Spread spread) {
    return Figures.difference(measured, spread.mean()) + (spread.agrees() ? "" : " !=");
  }

  private static String modelRow(CellResult.LongModel model) {
    Quantiles half = model.halfWidth();
    return model.seeds() > 1
        ? row(
            "model",
            model.mean(),
            "±" + Figures.units(half.p50()),
            "±" + Figures.units(half.p95()),
            "±" + Figures.units(half.p99()))
        : row("model", model.mean(), "", "", "");
  }

  private static String row(String name, Quantiles values, String p50, String p95, String p99) {
    return String.format(
        Locale.ROOT,
        "%-9s%7s %-8s%7s %-8s%7s %s",
        name,
        Figures.units(values.p50()),
        p50,
        Figures.units(values.p95()),
        p95,
        Figures.units(values.p99()),
        p99);
  }

  private void appendFailures() {
    int number = 0;
    for (CellResult cell : run.cells()) {
      number++;
      List<String> reasons = cell.verdict().map(CellResult.Verdict::reasons).orElse(List.of());
      if (!reasons.isEmpty()) {
        line("");
        line(ink.bad("cell " + number + " is not valid:"));
        for (String reason : reasons) {
          List<String> parts = TextLines.wrap(reason, COLUMNS - 4);
          line("  - " + parts.getFirst());
          parts.stream().skip(1).forEach(part -> line("    " + part));
        }
      }
      String name = "cell " + number;
      cell.comparison()
          .map(CellResult.Comparison::accounting)
          .ifPresent(it -> appendFailed(name, it.sent(), "requests", it.failed()));
      cell.comparison()
          .map(CellResult.Comparison::accounting)
          .ifPresent(it -> appendAttempts(name, "attempts", it.attempts()));
      cell.model()
          .ifPresent(
              it ->
                  appendFailed(
                      name, it.requests() * it.seeds(), "requests of the model", it.failed()));
      cell.model().ifPresent(it -> appendAttempts(name, "attempts in the model", it.attempts()));
    }
  }

  private void appendFailed(String cell, long count, String what, Map<String, Long> failed) {
    if (!failed.isEmpty()) {
      line(
          "  %s: of %d %s failed %s"
              .formatted(
                  cell,
                  count,
                  what,
                  failed.entrySet().stream()
                      .map(cause -> cause.getValue() + " (" + cause.getKey() + ")")
                      .collect(Collectors.joining(", "))));
    }
  }

  private void appendAttempts(String cell, String what, AttemptCounts counts) {
    if (!counts.equals(AttemptCounts.NONE)) {
      line(
          "  %s: %d %s: %d retries (%d more over the budget), %d hedges (%d won)"
              .formatted(
                  cell,
                  counts.attempts(),
                  what,
                  counts.retries(),
                  counts.overBudget(),
                  counts.hedges(),
                  counts.hedgesWon()));
    }
  }

  private void appendThresholds() {
    List<String> lines = ThresholdText.lines(run, ink);
    if (lines.isEmpty()) {
      return;
    }
    line("");
    line(ink.strong("Thresholds"));
    for (String text : lines) {
      List<String> parts = TextLines.wrap(text, COLUMNS - 12);
      line("  " + parts.getFirst());
      parts.stream().skip(1).forEach(part -> line("          " + part));
    }
  }

  private void appendReading() {
    List<String> sentences = Reading.of(run.cells());
    if (sentences.isEmpty()) {
      return;
    }
    line("");
    line(ink.strong("Reading"));
    for (String sentence : sentences) {
      List<String> parts = TextLines.wrap(sentence, COLUMNS - 4);
      line("  - " + parts.getFirst());
      parts.stream().skip(1).forEach(part -> line("    " + part));
    }
  }
}
