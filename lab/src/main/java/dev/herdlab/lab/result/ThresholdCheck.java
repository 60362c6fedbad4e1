package dev.herdlab.lab.result;

import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.Threshold;
import dev.herdlab.simulator.Quantiles;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;

/// A threshold put to one value of one cell, measured or of the model.
///
/// Owner thread: any (immutable).
///
/// @param cell the cell's place, from 0
/// @param threshold the rule
/// @param on which of the cell's values
/// @param value that value, in what the rule is written in: units, requests, percent, or multiples
///     of a fair share; NaN if there is none
/// @param limit what it is compared with; NaN where the cell that the rule names was not run
/// @param state how it came out
public record ThresholdCheck(
    int cell, Threshold threshold, On on, double value, double limit, State state) {
  /// Which of a cell's values.
  public enum On {
    MEASURED,
    MODEL;

    /// As reports write it.
    public String word() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /// How a check came out.
  public enum State {
    MET,
    /// The value does not keep the rule, or there is none.
    BROKEN,
    /// The cell that the rule compares with was not run: the user stopped before it, or asked for
    /// one cell alone.
    NOT_JUDGED;

    /// As reports write it.
    public String word() {
      return name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }
  }

  /// All rules on all values of all cells: rule by rule, then cell by cell.
  public static List<ThresholdCheck> of(List<Threshold> thresholds, List<CellResult> cells) {
    List<ThresholdCheck> checks = new ArrayList<>();
    for (Threshold threshold : thresholds) {
      for (int i = 0; i < cells.size(); i++) {
        for (On on : On.values()) {
          check(threshold, cells, i, on).ifPresent(checks::add);
        }
      }
    }
    return checks;
  }

  /// Empty if the cell has no such value, or is the one that others are compared with.
  private static Optional<ThresholdCheck> check(
      Threshold threshold, List<CellResult> cells, int cell, On on) {
    Optional<Seen> seen = Seen.of(cells.get(cell), on);
    if (seen.isEmpty()) {
      return Optional.empty();
    }
    double value = seen.get().value(threshold);
    return switch (threshold.limit()) {
      case Threshold.Limit.Absolute(double number) ->
          Optional.of(judged(cell, threshold, on, value, number));
      case Threshold.Limit.Percent(double number) ->
          Optional.of(judged(cell, threshold, on, value, number));
      case Threshold.Limit.OfFairShare(double factor) ->
          Optional.of(judged(cell, threshold, on, value, factor));
      case Threshold.Limit.OfAlgorithm(double factor, String spec) -> {
        if (cells.get(cell).plan().algorithm().equals(spec)) {
          yield Optional.empty();
        }
        List<CellPlan> plans = cells.stream().map(CellResult::plan).toList();
        Optional<Seen> other =
            Threshold.references(spec, plans.get(cell), plans).stream()
                .findFirst()
                .flatMap(at -> Seen.of(cells.get(at), on));
        yield Optional.of(
            other
                .map(it -> judged(cell, threshold, on, value, factor * it.value(threshold)))
                .orElseGet(
                    () ->
                        new ThresholdCheck(
                            cell, threshold, on, value, Double.NaN, State.NOT_JUDGED)));
      }
    };
  }

  private static ThresholdCheck judged(
      int cell, Threshold threshold, On on, double value, double limit) {
    State state = threshold.operator().holds(value, limit) ? State.MET : State.BROKEN;
    return new ThresholdCheck(cell, threshold, on, value, limit, state);
  }

  /// What a cell showed, measured or in the model.
  private record Seen(
      CellPlan plan, Quantiles latency, List<Double> shares, double errors, double requests) {
    static Optional<Seen> of(CellResult cell, On on) {
      return switch (on) {
        case MEASURED ->
            cell.comparison()
                .map(
                    it ->
                        new Seen(
                            cell.plan(),
                            it.measured(),
                            it.herding().shares(),
                            it.accounting().sent() - it.accounting().completed(),
                            it.accounting().sent()));
        case MODEL ->
            cell.model()
                .map(
                    it ->
                        new Seen(
                            cell.plan(),
                            it.mean(),
                            it.shares(),
                            it.errors(),
                            (double) it.requests() * it.seeds()));
      };
    }

    double value(Threshold threshold) {
      boolean percent = threshold.limit() instanceof Threshold.Limit.Percent;
      return switch (threshold.figure()) {
        case P50 -> latency.p50();
        case P95 -> latency.p95();
        case P99 -> latency.p99();
        case MEAN -> latency.mean();
        case ERRORS ->
            threshold.limit() instanceof Threshold.Limit.Absolute
                ? errors
                : 100 * errors / Math.max(1, requests);
        case SHARE_MAX ->
            extreme(
                percent,
                all -> all.stream().mapToDouble(Double::doubleValue).max().orElse(Double.NaN));
        case SHARE_MIN ->
            extreme(
                percent,
                all -> all.stream().mapToDouble(Double::doubleValue).min().orElse(Double.NaN));
      };
    }

    /// In percent of the picks, or in multiples of each backend's fair share.
    private double extreme(boolean percent, Function<List<Double>, Double> of) {
      double speeds = plan.speeds().stream().mapToDouble(Double::doubleValue).sum();
      List<Double> values = new ArrayList<>();
      for (int i = 0; i < shares.size(); i++) {
        values.add(percent ? 100 * shares.get(i) : shares.get(i) * speeds / plan.speeds().get(i));
      }
      return of.apply(values);
    }
  }
}
