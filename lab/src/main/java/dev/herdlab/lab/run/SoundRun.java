package dev.herdlab.lab.run;

import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.result.SelftestResult;
import dev.herdlab.simulator.Quantiles;
import java.util.List;
import java.util.Locale;

/// A run into which no bug was put, and in which nothing must be found.
///
/// Owner thread: any (immutable).
///
/// @param name of the check
/// @param comparison of the attempt that counts
/// @param refused why each attempt before it was not valid
record SoundRun(String name, CellResult.Comparison comparison, List<String> refused) {
  /// The judgement.
  ///
  /// @param beside what else is evidence
  SelftestResult.Check check(String beside) {
    return new SelftestResult.Check(
        name,
        "nothing",
        "valid, no pick different, measured p50, p95 and p99 as the twin's"
            + " (false alarms: at most 3 in 100 runs)",
        passes(),
        found() + beside + attempts());
  }

  private boolean passes() {
    return comparison.verdict().valid()
        && comparison.audit().different() == 0
        && comparison.twin().agrees();
  }

  private String found() {
    if (!comparison.verdict().valid()) {
      return comparison.verdict().reasons().getFirst();
    }
    CellResult.Twin twin = comparison.twin();
    return "%d of %d picks differ; %s; %s"
        .formatted(
            comparison.audit().different(),
            comparison.audit().picks(),
            quantiles(),
            twin.agrees() ? "the twin agrees" : "the twin says otherwise: " + twin);
  }

  /// The measured quantiles, in words.
  String quantiles() {
    Quantiles measured = comparison.measured();
    return String.format(
        Locale.ROOT,
        "p50 %.2f, p95 %.2f, p99 %.2f units",
        measured.p50(),
        measured.p95(),
        measured.p99());
  }

  private String attempts() {
    return refused.isEmpty()
        ? ""
        : "; attempt " + (refused.size() + 1) + ", not valid before: " + String.join(" ", refused);
  }
}
