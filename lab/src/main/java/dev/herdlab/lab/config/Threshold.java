package dev.herdlab.lab.config;

import dev.herdlab.workload.DecimalText;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A rule that every cell's figures must keep, measured and in the model alike:
///
/// | rule | what is compared |
/// |---|---|
/// | `p99 < 12` | p50, p95, p99 or mean latency, in units |
/// | `errors == 0`, `errors < 0.1%` | requests that failed: how many, or their share |
/// | `share(max) < 1.3x`, `share(min) > 5%` | picks on one backend, by its fair share or of all |
/// | `p99 < 1.2 x p2c` | any of these, with the same figure of another algorithm's cell |
///
/// A backend's fair share is its speed over the sum of the speeds. The other cell differs in its
/// algorithm alone, or, if there is none, in algorithm and view.
///
/// The operators are `<`, `<=`, `>`, `>=` and `==`. Owner thread: any (immutable).
///
/// @param text as it was written
/// @param figure what is looked at
/// @param operator how it is compared
/// @param limit what with
public record Threshold(String text, Figure figure, Operator operator, Limit limit) {
  private static final Pattern FORM =
      Pattern.compile(
          "(?<figure>p50|p95|p99|mean|errors|share\\((?:max|min)\\))\\s*(?<operator><=|>=|==|<|>)"
              + "\\s*(?<number>[0-9.]+(?:[eE][+-]?[0-9]+)?)\\s*(?<suffix>%|x\\b|)\\s*(?<rest>.*)");

  static final String EXPECTED =
      "a rule such as p99 < 12, errors == 0, share(max) < 1.3x or p99 < 1.2 x p2c";

  /// What is looked at.
  public enum Figure {
    P50("p50"),
    P95("p95"),
    P99("p99"),
    MEAN("mean"),
    ERRORS("errors"),
    SHARE_MAX("share(max)"),
    SHARE_MIN("share(min)");

    private final String word;

    Figure(String word) {
      this.word = word;
    }

    boolean isLatency() {
      return this == P50 || this == P95 || this == P99 || this == MEAN;
    }

    boolean isShare() {
      return this == SHARE_MAX || this == SHARE_MIN;
    }
  }

  /// How two numbers are compared.
  public enum Operator {
    LESS("<"),
    AT_MOST("<="),
    GREATER(">"),
    AT_LEAST(">="),
    EQUAL("==");

    private final String sign;

    Operator(String sign) {
      this.sign = sign;
    }

    /// False too if one of them is not a number.
    public boolean holds(double value, double limit) {
      return switch (this) {
        case LESS -> value < limit;
        case AT_MOST -> value <= limit;
        case GREATER -> value > limit;
        case AT_LEAST -> value >= limit;
        case EQUAL -> value == limit;
      };
    }
  }

  /// What a figure is compared with.
  public sealed interface Limit {
    /// Units of latency, or a number of requests.
    record Absolute(double number) implements Limit {}

    /// Percent of all requests, or of all picks.
    record Percent(double number) implements Limit {}

    /// A multiple of a backend's fair share of the picks.
    record OfFairShare(double factor) implements Limit {}

    /// A multiple of the figure of another algorithm's cell.
    record OfAlgorithm(double factor, String spec) implements Limit {}
  }

  /// What an experiment's file may hold.
  static ValueType<Threshold> type() {
    return new ValueType<>(
        EXPECTED,
        "{\"type\":\"string\",\"pattern\":"
            + "\"^(p50|p95|p99|mean|errors|share\\\\((max|min)\\\\))\\\\s*(<=|>=|==|<|>)\\\\s*[0-9.]+.*$\"}",
        text -> read(text.strip()).map(List::of));
  }

  /// The rule that `text` says; empty if it says none.
  public static Optional<Threshold> read(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    String word = matcher.group("figure");
    Figure figure =
        Arrays.stream(Figure.values()).filter(it -> it.word.equals(word)).findFirst().orElseThrow();
    String sign = matcher.group("operator");
    Operator operator =
        Arrays.stream(Operator.values())
            .filter(it -> it.sign.equals(sign))
            .findFirst()
            .orElseThrow();
    double number = DecimalText.read(matcher.group("number"));
    if (!Double.isFinite(number)) {
      return Optional.empty();
    }
    return limit(figure, number, matcher.group("suffix"), matcher.group("rest"))
        .map(limit -> new Threshold(text, figure, operator, limit));
  }

  private static Optional<Limit> limit(Figure figure, double number, String suffix, String rest) {
    if (suffix.equals("x") && !rest.isEmpty()) {
      return Optional.of(new Limit.OfAlgorithm(number, rest));
    }
    if (!rest.isEmpty()) {
      return Optional.empty();
    }
    return switch (suffix) {
      case "x" -> figure.isShare() ? Optional.of(new Limit.OfFairShare(number)) : Optional.empty();
      case "%" -> figure.isLatency() ? Optional.empty() : Optional.of(new Limit.Percent(number));
      default -> figure.isShare() ? Optional.empty() : Optional.of(new Limit.Absolute(number));
    };
  }

  /// The cells that a rule about another algorithm compares `plan` with: one if all is well, none
  /// if there is none, several if the rule is ambiguous. A cell of that algorithm itself is
  /// compared with nothing.
  ///
  /// @param spec the other algorithm's
  /// @return places in `all`
  public static List<Integer> references(String spec, CellPlan plan, List<CellPlan> all) {
    List<Integer> sameView = new ArrayList<>();
    List<Integer> otherView = new ArrayList<>();
    for (int i = 0; i < all.size(); i++) {
      CellPlan other = all.get(i);
      if (other.algorithm().equals(spec) && rest(other).equals(rest(plan))) {
        (other.view().equals(plan.view()) ? sameView : otherView).add(i);
      }
    }
    return sameView.isEmpty() ? otherView : sameView;
  }

  /// All of a cell but its algorithm and view.
  private static Map<String, String> rest(CellPlan plan) {
    Map<String, String> fields = ExperimentWriter.fields(plan);
    fields.keySet().removeAll(List.of("algorithm", "view"));
    return fields;
  }
}
