package dev.herdlab.loadgen;

import dev.herdlab.transport.Head;
import dev.herdlab.workload.Trace;
import io.netty.util.AsciiString;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/// What the tenants of one run remember of the cookie that keeps them with a backend: each the last
/// that it was given, whatever its attributes; none at the run's start.
///
/// Cost: a look-up a request that has a tenant, nothing for others; at most one value of
/// [#MOST_BYTES] a tenant. Owner thread: the generator's loop. Source: RFC 6265 sections 4.1.1 and
/// 5.2, for this one cookie alone.
final class TenantCookies {
  /// Longest value that is kept; a longer one is as if it had not come.
  static final int MOST_BYTES = 256;

  private static final AsciiString FIELD = AsciiString.cached("set-cookie");
  private static final byte[] NOTHING = {};

  private final Map<Integer, byte[]> values = new HashMap<>();

  /// The value that a tenant sends; empty if it has none. Not to be written to.
  byte[] of(int tenant) {
    return tenant == Trace.NO_TENANT ? NOTHING : values.getOrDefault(tenant, NOTHING);
  }

  /// A response to a tenant's request has come.
  void take(int tenant, Head head) {
    if (tenant == Trace.NO_TENANT) {
      return;
    }
    for (int i = head.find(FIELD, 0); i >= 0; i = head.find(FIELD, i + 1)) {
      take(tenant, head.octets(), head.valueStart(i), head.valueEnd(i));
    }
  }

  private void take(int tenant, byte[] octets, int start, int end) {
    byte[] name = ConnectionPool.COOKIE;
    int value = start + name.length;
    if (value > end || !Arrays.equals(octets, start, value, name, 0, name.length)) {
      return;
    }
    int last = value;
    while (last < end && octets[last] != ';') {
      last++;
    }
    if (last - value <= MOST_BYTES
        && !Arrays.equals(octets, value, last, of(tenant), 0, of(tenant).length)) {
      values.put(tenant, Arrays.copyOfRange(octets, value, last));
    }
  }
}
