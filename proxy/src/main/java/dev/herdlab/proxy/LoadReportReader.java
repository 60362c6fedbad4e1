package dev.herdlab.proxy;

import dev.herdlab.balancer.BackendSignal.LoadReport;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumMap;
import org.jspecify.annotations.Nullable;

/// Reads load reports out of response heads: ORCA's text form `TEXT name=value,...`, with `:` for
/// `=` as older backends write it, and its form `JSON {...}` (see [LoadReportJson]).
///
/// Utilisation is `application_utilization`, or `cpu_utilization` where that is missing or 0; the
/// rates are `rps_fractional` and `eps`; requests in flight are the named metric `in_flight`. What
/// is missing is 0, other metrics are passed over. A report with one of these metrics twice, or
/// with a value that is no number or below 0, or in another form (`BIN`), is unreadable as a whole.
///
/// Cost: one pass, a string and a box for each number. Owner thread: its loop's. Source: gRPC
/// proposals A51 and A58; Envoy, source/common/orca/orca_parser.cc.
/// Deviation: Envoy refuses a report with a metric that it does not know.
final class LoadReportReader {
  private static final byte[] TEXT = Wire.ascii("TEXT ");
  private static final byte[] JSON = Wire.ascii("JSON ");
  static final Metric[] METRICS = Metric.values();

  private final EnumMap<Metric, Double> values = new EnumMap<>(Metric.class);
  private final LoadReportJson json = new LoadReportJson(this);

  /// What is read of a report.
  @SuppressWarnings("ImmutableEnumChecker") // The arrays are never written to.
  enum Metric {
    CPU("cpu_utilization", "cpuUtilization", false),
    APPLICATION("application_utilization", "applicationUtilization", false),
    RATE("rps_fractional", "rpsFractional", false),
    ERRORS("eps", "eps", false),
    IN_FLIGHT("in_flight", "in_flight", true);

    /// The name in the text form.
    final byte[] text;

    /// The two spellings in JSON.
    final byte[] snake;

    final byte[] camel;

    /// Whether it is one of the named metrics.
    final boolean named;

    Metric(String snake, String camel, boolean named) {
      this.text = Wire.ascii(named ? "named_metrics." + snake : snake);
      this.snake = Wire.ascii(snake);
      this.camel = Wire.ascii(camel);
      this.named = named;
    }
  }

  /// The report of one backend in the bytes from `start` to `end`; null if it is unreadable.
  @Nullable LoadReport read(String backend, byte[] octets, int start, int end) {
    values.clear();
    boolean readable =
        begins(octets, start, end, TEXT)
            ? text(octets, start + TEXT.length, end)
            : begins(octets, start, end, JSON) && json.read(octets, start + JSON.length, end);
    if (!readable) {
      return null;
    }
    double application = value(Metric.APPLICATION);
    return new LoadReport(
        backend,
        (int) Math.min(Math.rint(value(Metric.IN_FLIGHT)), Integer.MAX_VALUE),
        application > 0 ? application : value(Metric.CPU),
        value(Metric.RATE),
        value(Metric.ERRORS));
  }

  private double value(Metric metric) {
    return values.getOrDefault(metric, 0.0);
  }

  private static boolean begins(byte[] octets, int start, int end, byte[] form) {
    return end - start >= form.length
        && Arrays.equals(octets, start, start + form.length, form, 0, form.length);
  }

  private boolean text(byte[] octets, int start, int end) {
    int at = start;
    while (at < end) {
      int pair = at;
      while (at < end && octets[at] != ',') {
        at++;
      }
      if (!pair(octets, skipBlanks(octets, pair, at), at++)) {
        return false;
      }
    }
    return true;
  }

  private static int skipBlanks(byte[] octets, int start, int end) {
    int at = start;
    while (at < end && octets[at] == ' ') {
      at++;
    }
    return at;
  }

  private static int dropBlanks(byte[] octets, int start, int end) {
    int at = end;
    while (at > start && octets[at - 1] == ' ') {
      at--;
    }
    return at;
  }

  private boolean pair(byte[] octets, int start, int end) {
    int last = dropBlanks(octets, start, end);
    if (start == last) {
      // Nothing between two commas.
      return true;
    }
    int mark = start;
    while (mark < last && octets[mark] != '=' && octets[mark] != ':') {
      mark++;
    }
    if (mark == last) {
      return false;
    }
    Metric metric = metric(octets, start, dropBlanks(octets, start, mark));
    return metric == null || take(metric, octets, skipBlanks(octets, mark + 1, last), last);
  }

  private static @Nullable Metric metric(byte[] octets, int start, int end) {
    for (Metric metric : METRICS) {
      if (equal(octets, start, end, metric.text)) {
        return metric;
      }
    }
    return null;
  }

  static boolean equal(byte[] octets, int start, int end, byte[] name) {
    return Arrays.equals(octets, start, end, name, 0, name.length);
  }

  /// Takes one metric's value.
  ///
  /// @return false if it is no number, below 0, or not the first
  boolean take(Metric metric, byte[] octets, int start, int end) {
    double value = number(octets, start, end);
    return value >= 0 && values.put(metric, value) == null;
  }

  // NaN if it is no finite decimal number.
  private static double number(byte[] octets, int start, int end) {
    for (int at = start; at < end; at++) {
      if ((octets[at] < '0' || octets[at] > '9') && "+-.eE".indexOf(octets[at]) < 0) {
        return Double.NaN;
      }
    }
    try {
      double value =
          Double.parseDouble(new String(octets, start, end - start, StandardCharsets.US_ASCII));
      return Double.isFinite(value) ? value : Double.NaN;
    } catch (NumberFormatException e) {
      return Double.NaN;
    }
  }
}
