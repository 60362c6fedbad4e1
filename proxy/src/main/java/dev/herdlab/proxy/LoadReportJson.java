package dev.herdlab.proxy;

import dev.herdlab.proxy.LoadReportReader.Metric;
import org.jspecify.annotations.Nullable;

/// ORCA's JSON form: the Protobuf message `OrcaLoadReport` in its JSON mapping, in which a name has
/// underscores or capitals, and a number may stand in quotes. Unknown members are passed over, to a
/// bounded depth.
///
/// Cost: one pass, no allocation of its own. Owner thread: its reader's. Source: RFC 8259;
/// Protobuf's JSON mapping (ProtoJSON).
/// Deviation: a name with an escape is never one of ours; literals other than numbers are not
/// checked.
final class LoadReportJson {
  private static final byte[] NAMED = Wire.ascii("named_metrics");
  private static final byte[] NAMED_CAMEL = Wire.ascii("namedMetrics");
  // Such a message has two levels.
  private static final int MOST_DEPTH = 8;

  private final LoadReportReader reader;
  private byte[] octets = {};
  private int at;
  private int end;

  LoadReportJson(LoadReportReader reader) {
    this.reader = reader;
  }

  /// Reads the bytes from `start` to `to`.
  ///
  /// @return false if they are no such object
  boolean read(byte[] bytes, int start, int to) {
    octets = bytes;
    at = start;
    end = to;
    skipBlanks();
    if (!eat('{') || !members(0, false)) {
      return false;
    }
    skipBlanks();
    return at == end;
  }

  // Behind the opening brace.
  private boolean members(int depth, boolean named) {
    skipBlanks();
    if (eat('}')) {
      return true;
    }
    do {
      skipBlanks();
      int name = at + 1;
      if (!string()) {
        return false;
      }
      int nameEnd = at - 1;
      skipBlanks();
      if (!eat(':') || !member(name, nameEnd, depth, named)) {
        return false;
      }
      skipBlanks();
    } while (eat(','));
    return eat('}');
  }

  private boolean member(int name, int nameEnd, int depth, boolean named) {
    skipBlanks();
    if (depth == 0 && at < end && octets[at] == '{' && isNamedMetrics(name, nameEnd)) {
      at++;
      return members(1, true);
    }
    Metric metric = depth == 0 || named ? metric(name, nameEnd, named) : null;
    return metric == null ? skip(depth + 1) : take(metric);
  }

  private boolean isNamedMetrics(int start, int to) {
    return LoadReportReader.equal(octets, start, to, NAMED)
        || LoadReportReader.equal(octets, start, to, NAMED_CAMEL);
  }

  private @Nullable Metric metric(int start, int to, boolean named) {
    for (Metric metric : LoadReportReader.METRICS) {
      if (metric.named == named
          && (LoadReportReader.equal(octets, start, to, metric.snake)
              || LoadReportReader.equal(octets, start, to, metric.camel))) {
        return metric;
      }
    }
    return null;
  }

  private boolean take(Metric metric) {
    int start = at;
    if (at < end && octets[at] == '"') {
      return string() && reader.take(metric, octets, start + 1, at - 1);
    }
    literal();
    return reader.take(metric, octets, start, at);
  }

  private boolean skip(int depth) {
    if (at == end || depth > MOST_DEPTH) {
      return false;
    }
    return switch (octets[at]) {
      case '"' -> string();
      case '{' -> {
        at++;
        yield members(depth, false);
      }
      case '[' -> {
        at++;
        yield elements(depth);
      }
      default -> literal();
    };
  }

  // Behind the opening bracket.
  private boolean elements(int depth) {
    skipBlanks();
    if (eat(']')) {
      return true;
    }
    do {
      skipBlanks();
      if (!skip(depth + 1)) {
        return false;
      }
      skipBlanks();
    } while (eat(','));
    return eat(']');
  }

  private boolean string() {
    if (!eat('"')) {
      return false;
    }
    while (at < end && octets[at] != '"') {
      at += octets[at] == '\\' ? 2 : 1;
    }
    return at < end && eat('"');
  }

  // A number, true, false or null.
  private boolean literal() {
    int start = at;
    while (at < end && ",]} \t".indexOf(octets[at]) < 0) {
      at++;
    }
    return at > start;
  }

  private boolean eat(char octet) {
    if (at < end && octets[at] == octet) {
      at++;
      return true;
    }
    return false;
  }

  private void skipBlanks() {
    while (at < end && (octets[at] == ' ' || octets[at] == '\t')) {
      at++;
    }
  }
}
