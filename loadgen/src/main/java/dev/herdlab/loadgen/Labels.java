package dev.herdlab.loadgen;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The names that responses bring (backends, causes), each made into a string once.
///
/// Open addressing on the names' octets. Cost: one pass over the name, no allocation for a known
/// one. Owner thread: the generator's loop.
final class Labels {
  /// Most different names: a proxy that sends more is broken.
  static final int LIMIT = 16_384;

  private static final int SLOTS = 2 * LIMIT;

  private final byte[] @Nullable [] octetsOf = new byte[SLOTS] @Nullable [];
  private final String[] names = new String[SLOTS];
  private int size;

  /// The name in the octets from `start` to `end`; empty if it is that, or not fit for a run's log,
  /// or one more than the limit.
  String name(byte[] octets, int start, int end) {
    int hash = 0;
    for (int i = start; i < end; i++) {
      if (!isPlain(octets[i])) {
        return "";
      }
      hash = 31 * hash + octets[i];
    }
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    for (byte[] known = octetsOf[slot]; known != null; known = octetsOf[slot]) {
      if (Arrays.equals(known, 0, known.length, octets, start, end)) {
        return names[slot];
      }
      slot = (slot + 1) & (SLOTS - 1);
    }
    if (start == end || size == LIMIT) {
      return "";
    }
    size++;
    octetsOf[slot] = Arrays.copyOfRange(octets, start, end);
    names[slot] = new String(octets, start, end - start, StandardCharsets.US_ASCII);
    return names[slot];
  }

  private static boolean isPlain(byte octet) {
    return octet > ' ' && octet != 0x7F && octet != ',' && octet != ';' && octet != '"';
  }
}
