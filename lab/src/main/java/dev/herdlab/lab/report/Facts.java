package dev.herdlab.lab.report;

import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.CellResult;
import java.util.List;
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
            "requests"));
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
