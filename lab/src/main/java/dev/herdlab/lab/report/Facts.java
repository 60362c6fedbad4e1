package dev.herdlab.lab.report;

import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.CellResult;
import java.util.DoubleSummaryStatistics;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/// What all cells of a run share, in one line. Owner thread: any.
final class Facts {
  private Facts() {}

  static String of(List<CellResult> cells) {
    List<CellPlan> plans = cells.stream().map(CellResult::plan).toList();
    return String.join(
        ", ",
        count(cells.size(), "cell"),
        shared(plans, plan -> "unit " + Figures.duration(plan.unitNanos()), "unit"),
        shared(plans, plan -> count(plan.backends(), "backend"), "backends"),
        shared(plans, plan -> "rho " + Figures.plain(plan.rho()), "rho"),
        shared(
                plans,
                plan -> plan.requests() + " requests (the first " + plan.warmup() + " dropped)",
                "requests")
            + events(plans),
        utilisation(cells));
  }

  private static String events(List<CellPlan> plans) {
    return plans.stream().allMatch(plan -> plan.events().isEmpty())
        ? ""
        : ", " + shared(plans, plan -> count(plan.events().entries().size(), "event"), "events");
  }

  /// What the traces really offered, which is not exactly rho times the mean service time.
  private static String utilisation(List<CellResult> cells) {
    DoubleSummaryStatistics all =
        cells.stream().mapToDouble(CellResult::utilisation).summaryStatistics();
    String low = String.format(Locale.ROOT, "%.3f", all.getMin());
    String high = String.format(Locale.ROOT, "%.3f", all.getMax());
    return "true utilisation " + (low.equals(high) ? low : low + " to " + high);
  }

  private static String count(int number, String noun) {
    return number + " " + noun + (number == 1 ? "" : "s");
  }

  /// The text of all cells if it is the same, else that it varies.
  private static String shared(List<CellPlan> plans, Function<CellPlan, String> text, String what) {
    List<String> texts = plans.stream().map(text).distinct().toList();
    return texts.size() == 1 ? texts.getFirst() : what + " varying";
  }
}
