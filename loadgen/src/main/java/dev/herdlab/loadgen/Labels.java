package dev.herdlab.loadgen;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The names that responses bring (backends, causes), each kept once and known by a number.
///
/// Open addressing on the names' bytes. Cost: one pass over the name, no allocation for a known one.
/// Owner thread: the generator's loop; read by others only after the run.
final class Labels {
  /// Most different names: a proxy that sends more is broken.
  static final int LIMIT = 16_384;

  private static final int SLOTS = 2 * LIMIT;

  private final List<byte[]> names = new ArrayList<>();
  private final int[] slots = new int[SLOTS];

  /// The number of the name in the octets from `start` to `end`; -1 if it is empty or no plain name, or new and there are
  /// too many.
  int number(byte[] octets, int start, int end) {
    int hash = 0;
    for (int i = start; i < end; i++) {
      if (!isPlain(octets[i])) {
        return -1;
      }
      hash = 31 * hash + octets[i];
    }
    int slot = (hash ^ hash >>> 16) & SLOTS - 1;
    while (slots[slot] != 0) {
      int number = slots[slot] - 1;
      byte[] name = names.get(number);
      if (Arrays.equals(name, 0, name.length, octets, start, end)) {
        return number;
      }
      slot = slot + 1 & SLOTS - 1;
    }
    if (start == end || names.size() == LIMIT) {
      return -1;
    }
    names.add(Arrays.copyOfRange(octets, start, end));
    slots[slot] = names.size();
    return names.size() - 1;
  }

  /// All names, by number.
  List<String> names() {
    return names.stream().map(name -> new String(name, StandardCharsets.US_ASCII)).toList();
  }

  // What a run's log can hold.
  private static boolean isPlain(byte octet) {
    return octet > ' ' && octet != 0x7F && octet != ',' && octet != ';' && octet != '"';
  }
}
