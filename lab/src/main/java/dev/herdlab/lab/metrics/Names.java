package dev.herdlab.lab.metrics;

import java.util.HashMap;
import java.util.Map;

/// Small numbers for the strings that a loop sees, so that they fit into a batch.
///
/// A number stays its string's for ever; strings beyond the limit share 0, [#OTHER], so that label
/// values stay bounded whatever comes. Cost of [#number]: one look-up, no allocation for a known
/// string. Owner thread: numbers are given on the loop; names are read by whoever has taken a batch
/// that holds the number, which is what makes them visible.
final class Names {
  /// Most different strings.
  static final int LIMIT = 4096;

  /// What strings beyond the limit are called.
  static final String OTHER = "other";

  private final Map<String, Integer> numbers = new HashMap<>();
  private final String[] names = new String[LIMIT];

  Names() {
    names[0] = OTHER;
    numbers.put(OTHER, 0);
  }

  int number(String name) {
    Integer known = numbers.get(name);
    if (known != null) {
      return known;
    }
    int number = numbers.size();
    if (number == LIMIT) {
      return 0;
    }
    names[number] = name;
    numbers.put(name, number);
    return number;
  }

  String name(int number) {
    return names[number];
  }
}
