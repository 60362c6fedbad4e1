package dev.herdlab.lab.metrics;

import java.util.LinkedHashMap;
import java.util.function.Consumer;

/// The pairs of algorithm and view that have series, the latest used last: what bounds the series
/// of a system that is switched for ever. Owner thread: whoever holds the registry.
final class RecentPairs {
  /// Most pairs that are kept. A tour shows half a dozen.
  static final int LIMIT = 16;

  private final LinkedHashMap<Pair, Pair> pairs = new LinkedHashMap<>();
  private final Consumer<Pair> forget;

  /// @param forget removes the series of the pair that makes room
  RecentPairs(Consumer<Pair> forget) {
    this.forget = forget;
  }

  boolean has(Pair pair) {
    return pairs.containsKey(pair);
  }

  void use(Pair pair) {
    pairs.putLast(pair, pair);
    if (pairs.size() > LIMIT) {
      forget.accept(pairs.pollFirstEntry().getKey());
    }
  }
}
