package dev.herdlab.balancer.algorithm;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// A search for shards no two of which share more than a given number of backends: one after the
/// other, each the first that fits in an order of the backends that is shuffled anew, with
/// backtracking, so that one is found if there is one beside those found before.
///
/// A branch is left as soon as its members alone share too much with a shard, which finds the same
/// shards as trying out all whole ones in the same order.
///
/// Cost: exponential at worst, so that a search gives up after [#MAX_STEPS]. Owner thread: its
/// user's.
/// Source: awslabs/route53-infima `StatefulSearchingShuffleSharder` on a lattice of one cell,
/// commit cabce49.
final class ShardSearch {
  /// A bound on the members tried for one shard; a guess, about a tenth of a second.
  static final int MAX_STEPS = 1_000_000;

  private final int size;
  private final int overlap;
  private final int[] order;
  private final int[] chosen;
  private final int[] shared;
  private final List<List<Integer>> shardsOf = new ArrayList<>();
  private int steps;

  private ShardSearch(int backends, int size, int overlap, int shards) {
    this.size = size;
    this.overlap = overlap;
    this.order = Members.all(backends);
    this.chosen = new int[size];
    this.shared = new int[shards];
    for (int i = 0; i < backends; i++) {
      shardsOf.add(new ArrayList<>());
    }
  }

  /// Up to `shards` shards; fewer if a search for the next one ends without.
  ///
  /// @param backends at least `size` of them
  /// @param overlap what two shards may share, below `size`
  /// @param seed of the shuffles
  static int[][] find(int backends, int size, int overlap, int shards, long seed) {
    ShardSearch search = new ShardSearch(backends, size, overlap, shards);
    LegacyRandom random = new LegacyRandom();
    random.seed(seed);
    List<int[]> found = new ArrayList<>();
    while (found.size() < shards) {
      random.shuffle(search.order);
      search.steps = 0;
      Arrays.fill(search.shared, 0);
      if (!search.extend(0, 0)) {
        break;
      }
      for (int member : search.chosen) {
        search.shardsOf.get(member).add(found.size());
      }
      found.add(search.chosen.clone());
    }
    return found.toArray(new int[0][]);
  }

  /// Finds the rest of the shard, of which `count` members are chosen, from place `from` of the
  /// order on.
  private boolean extend(int from, int count) {
    if (count == size) {
      return true;
    }
    for (int i = from; i <= order.length - (size - count) && steps < MAX_STEPS; i++) {
      steps++;
      chosen[count] = order[i];
      if (share(order[i], 1) <= overlap && extend(i + 1, count + 1)) {
        return true;
      }
      share(order[i], -1);
    }
    return false;
  }

  /// Adds a member to what is shared with its shards, or takes it away; the most shared with one.
  private int share(int member, int change) {
    int most = 0;
    for (int shard : shardsOf.get(member)) {
      shared[shard] += change;
      most = Math.max(most, shared[shard]);
    }
    return most;
  }
}
