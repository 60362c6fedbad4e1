package dev.herdlab.lab.report;

import dev.herdlab.balancer.AttemptPolicy;
import dev.herdlab.lab.config.AttemptText;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.workload.Queueing;

/// How a cell's backends serve and its clients wait, in a few words. Owner thread: any (no state).
final class ServingText {
  private ServingText() {}

  /// What is not as usual, each with a comma before it.
  static String of(CellPlan plan) {
    Queueing queueing = plan.serving().queueing();
    StringBuilder text = new StringBuilder();
    if (queueing.discipline() != Queueing.Discipline.FIFO) {
      text.append(", ").append(queueing.discipline().label());
    }
    if (queueing.servers() > 1) {
      text.append(", servers ").append(queueing.servers());
    }
    if (plan.serving().hasLimit()) {
      text.append(", queue ").append(queueing.limit());
    }
    if (plan.serving().hasTimeout()) {
      double units = (double) plan.serving().timeoutNanos() / plan.unitNanos();
      text.append(", timeout ").append(Figures.plain(units));
    }
    AttemptPolicy attempts = plan.serving().attempts();
    if (attempts.retries() > 0) {
      text.append(", retries ").append(attempts.retries());
    }
    if (attempts.budget().isLimited()) {
      text.append(", retry budget ").append(AttemptText.budget(attempts));
    }
    if (attempts.hedges()) {
      text.append(", hedge ").append(AttemptText.hedge(attempts, plan.unitNanos()));
    }
    return text.toString();
  }
}
