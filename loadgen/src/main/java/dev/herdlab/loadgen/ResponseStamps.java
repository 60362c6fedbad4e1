package dev.herdlab.loadgen;

import dev.herdlab.transport.Head;
import dev.herdlab.transport.HeaderNames;
import dev.herdlab.workload.RunLog;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What one response says of its way: backend, proxy, the instants of both, and the cause of a
/// failure.
///
/// Whatever is missing is [RunLog#UNKNOWN], or an empty name. Cost of [#read]: five searches among
/// the fields, no allocation but for further attempts. Owner thread: the generator's loop.
final class ResponseStamps {
  /// First of the backend's four instants: received, start, finish, delivered.
  static final int BACKEND = 0;

  /// First of the proxy's four: received, picked, forwarded, returned.
  static final int PROXY = 4;

  /// How many there are.
  static final int COUNT = 8;

  private static final int UNKNOWN = (int) RunLog.UNKNOWN;
  private static final int EACH = 4;
  // Any 18 digits fit a long.
  private static final int MAX_DIGITS = 18;

  private final Labels labels;
  private final long[] nanos = new long[COUNT];
  private String backend = "";
  private String cause = "";
  private String refusal = "";
  private int proxy;
  private final List<Beside> beside = new ArrayList<>();

  /// An attempt beside the one that decided, by the proxy's clock; [RunLog#UNKNOWN] for what did
  /// not happen.
  ///
  /// @param endedNanos when it was given up; unknown if it failed
  record Beside(String backend, long pickedNanos, long forwardedNanos, long endedNanos) {}

  ResponseStamps(Labels labels) {
    this.labels = labels;
    clear();
  }

  /// Forgets the last response.
  void clear() {
    Arrays.fill(nanos, UNKNOWN);
    backend = "";
    cause = "";
    refusal = "";
    proxy = UNKNOWN;
    beside.clear();
  }

  /// Reads one head.
  ///
  /// @return false if a field is there and is not what it should be
  boolean read(Head head) {
    clear();
    backend = name(head, HeaderNames.BACKEND);
    cause = name(head, HeaderNames.CAUSE);
    refusal = head.status() >= 500 ? name(head, HeaderNames.REFUSAL) : "";
    int number = head.find(HeaderNames.PROXY);
    if (number >= 0) {
      proxy = (int) Math.min(head.number(number, UNKNOWN), Integer.MAX_VALUE);
    }
    return (!backend.isEmpty() || head.find(HeaderNames.BACKEND) < 0)
        && (!cause.isEmpty() || head.find(HeaderNames.CAUSE) < 0)
        && (proxy != UNKNOWN || number < 0)
        && instants(head, HeaderNames.BACKEND_STAMPS, BACKEND)
        && instants(head, HeaderNames.PROXY_STAMPS, PROXY)
        && attempts(head);
  }

  private boolean attempts(Head head) {
    int found = head.find(HeaderNames.ATTEMPTS);
    if (found < 0) {
      return true;
    }
    String text =
        new String(
            head.octets(),
            head.valueStart(found),
            head.valueEnd(found) - head.valueStart(found),
            StandardCharsets.US_ASCII);
    for (String each : text.split(";", -1)) {
      String[] parts = each.split(",", -1);
      if (parts.length != EACH) {
        return false;
      }
      try {
        beside.add(
            new Beside(
                parts[0],
                Long.parseLong(parts[1]),
                Long.parseLong(parts[2]),
                Long.parseLong(parts[3])));
      } catch (NumberFormatException e) {
        return false;
      }
    }
    return true;
  }

  /// The attempts beside the one that decided; to be copied.
  List<Beside> beside() {
    return beside;
  }

  String backend() {
    return backend;
  }

  int proxy() {
    return proxy;
  }

  String cause() {
    return cause;
  }

  /// Why the backend turned the request away; empty if it did not, or did not say.
  String refusal() {
    return refusal;
  }

  /// Instant `i`, absolute on its sender's clock.
  long nanos(int i) {
    return nanos[i];
  }

  private String name(Head head, AsciiString field) {
    int at = head.find(field);
    return at < 0 ? "" : labels.name(head.octets(), head.valueStart(at), head.valueEnd(at));
  }

  // Four decimal numbers with commas between.
  private boolean instants(Head head, AsciiString field, int first) {
    int found = head.find(field);
    if (found < 0) {
      return true;
    }
    byte[] octets = head.octets();
    int at = head.valueStart(found);
    int end = head.valueEnd(found);
    for (int i = first; i < first + EACH; i++) {
      boolean negative = at < end && octets[at] == '-';
      int digits = negative ? at + 1 : at;
      long value = 0;
      for (at = digits; at < end && octets[at] >= '0' && octets[at] <= '9'; at++) {
        if (at - digits == MAX_DIGITS) {
          return false;
        }
        value = value * 10 + octets[at] - '0';
      }
      boolean last = i == first + EACH - 1;
      if (at == digits || last != (at == end) || (!last && octets[at] != ',')) {
        return false;
      }
      nanos[i] = negative ? -value : value;
      at++;
    }
    return true;
  }
}
