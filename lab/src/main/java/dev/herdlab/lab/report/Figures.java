package dev.herdlab.lab.report;

import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.simulator.Stability;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Numbers as people read them, the same in the terminal and in HTML. Owner thread: any.
final class Figures {
  private Figures() {}

  /// A latency in units, two decimals, or none from 1000 on; a dash if there is none.
  static String units(double units) {
    return Double.isNaN(units)
        ? "-"
        : String.format(Locale.ROOT, Math.abs(units) >= 1000 ? "%.0f" : "%.2f", units);
  }

  /// What is said of a pool that does not keep up, in the place of quantiles.
  static String growth(Stability stability) {
    return Double.isNaN(stability.growth())
        ? "unstable"
        : String.format(
            Locale.ROOT,
            "unstable: grows by %.2f requests a unit (load %.2f)",
            stability.growth(),
            stability.load());
  }

  /// How far `measured` is from `model`, e.g. `+3.3 %`.
  static String difference(double measured, double model) {
    return model == 0 || Double.isNaN(measured / model)
        ? ""
        : String.format(Locale.ROOT, "%+.1f %%", (measured / model - 1) * 100);
  }

  /// Units as microseconds of a cell's unit.
  static double micros(double units, CellPlan plan) {
    return units * plan.unitNanos() / 1e3;
  }

  /// Microseconds without decimals, or with one below 10.
  static String micros(double micros) {
    return Double.isNaN(micros)
        ? "-"
        : String.format(Locale.ROOT, Math.abs(micros) < 9.95 ? "%.1f" : "%.0f", micros);
  }

  /// A short number: as few decimals as it needs.
  static String plain(double number) {
    return number == Math.rint(number) && Math.abs(number) < 1e9
        ? String.valueOf((long) number)
        : String.valueOf(number);
  }

  /// One number for each backend: equal ones in a row as `12x1`.
  static String each(List<? extends Number> numbers) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < numbers.size(); ) {
      int end = i;
      while (end < numbers.size() && numbers.get(end).equals(numbers.get(i))) {
        end++;
      }
      text.append(i == 0 ? "" : ",")
          .append(end - i > 1 ? (end - i) + "x" : "")
          .append(plain(Math.round(numbers.get(i).doubleValue() * 1e3) / 1e3));
      i = end;
    }
    return text.toString();
  }

  /// A duration in the largest unit that is at most it.
  static String duration(long nanos) {
    if (nanos >= 1_000_000_000) {
      return plain(nanos / 1e9) + " s";
    }
    if (nanos >= 1_000_000) {
      return plain(nanos / 1e6) + " ms";
    }
    return nanos >= 1000 ? plain(nanos / 1e3) + " µs" : nanos + " ns";
  }

  /// A cell's name in a chart: number, algorithm and proxies, cut where it is too long.
  static String label(int number, CellPlan plan) {
    String algorithm = plan.algorithm();
    String shown = algorithm.length() <= 26 ? algorithm : algorithm.substring(0, 25) + "…";
    return number + "  " + shown + ", k=" + plan.proxies();
  }

  /// What a cell showed: on sockets if that was tried, else in the model. Empty if it was tried and
  /// no request gave a latency, or it is unstable.
  static Optional<Quantiles> shown(CellResult cell) {
    return cell.tried().isEmpty()
        ? cell.model().filter(CellResult.LongModel::hasSample).map(CellResult.LongModel::mean)
        : cell.comparison()
            .filter(CellResult.Comparison::hasSample)
            .map(CellResult.Comparison::measured);
  }
}
