package dev.herdlab.lab.metrics;

import java.util.List;

/// An algorithm and the view that it picks by, each a spec. Owner thread: any (immutable).
record Pair(String algorithm, String view) {
  /// Whether they are among a series' label values, one after the other.
  boolean isIn(List<String> labels) {
    int at = labels.indexOf(algorithm);
    return at >= 0 && at + 1 < labels.size() && labels.get(at + 1).equals(view);
  }
}
