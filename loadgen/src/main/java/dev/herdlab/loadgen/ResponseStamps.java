package dev.herdlab.loadgen;

import dev.herdlab.transport.Head;
import dev.herdlab.transport.HeaderNames;
import io.netty.util.AsciiString;
import java.util.Arrays;

/// What one response says of its way: backend, proxy, the instants of both, and the cause of a failure.
///
/// Whatever is missing is [RunRecorder#UNKNOWN]. Cost of [#read]: five searches among the fields, no allocation.
/// Owner thread: the generator's loop.
final class ResponseStamps {
  /// First of the backend's four instants: received, start, finish, delivered.
  static final int BACKEND = 0;

  /// First of the proxy's four: received, picked, forwarded, returned.
  static final int PROXY = 4;

  /// How many there are.
  static final int COUNT = 8;

  private static final int UNKNOWN = RunRecorder.UNKNOWN;
  private static final int EACH = 4;
  // Any 18 digits fit a long.
  private static final int MAX_DIGITS = 18;

  private final Labels backends;
  private final Labels causes;
  private final long[] nanos = new long[COUNT];
  private int backend;
  private int proxy;
  private int cause;

  ResponseStamps(Labels backends, Labels causes) {
    this.backends = backends;
    this.causes = causes;
    clear();
  }

  /// Forgets the last response.
  void clear() {
    Arrays.fill(nanos, UNKNOWN);
    backend = UNKNOWN;
    proxy = UNKNOWN;
    cause = UNKNOWN;
  }

  /// Reads one head.
  ///
  /// @return false if a field is there and is not what it should be
  boolean read(Head head) {
    clear();
    backend = name(head, HeaderNames.BACKEND, backends);
    cause = name(head, HeaderNames.CAUSE, causes);
    int number = head.find(HeaderNames.PROXY);
    if (number >= 0) {
      proxy = (int) Math.min(head.number(number, UNKNOWN), Integer.MAX_VALUE);
    }
    return (backend != UNKNOWN || head.find(HeaderNames.BACKEND) < 0)
        && (cause != UNKNOWN || head.find(HeaderNames.CAUSE) < 0)
        && (proxy != UNKNOWN || number < 0)
        && instants(head, HeaderNames.BACKEND_STAMPS, BACKEND)
        && instants(head, HeaderNames.PROXY_STAMPS, PROXY);
  }

  int backend() {
    return backend;
  }

  int proxy() {
    return proxy;
  }

  int cause() {
    return cause;
  }

  /// Instant `i`, absolute on its sender's clock.
  long nanos(int i) {
    return nanos[i];
  }

  private static int name(Head head, AsciiString field, Labels labels) {
    int at = head.find(field);
    return at < 0 ? UNKNOWN : labels.number(head.octets(), head.valueStart(at), head.valueEnd(at));
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
      if (at == digits || last != (at == end) || !last && octets[at] != ',') {
        return false;
      }
      nanos[i] = negative ? -value : value;
      at++;
    }
    return true;
  }
}
