package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.XxHash64;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/// Maglev's lookup table: each backend walks over all places of the table in an order of its own,
/// and they take turns in taking the next place on their way that is free. Shares differ by a place
/// or so; when a backend leaves, its keys move and a few others.
///
/// The order of a backend is offset, offset + skip, offset + 2 skip, ... modulo the table's size,
/// which is prime, so that it visits every place. With weights a backend takes its turn only in so
/// many rounds as its weight is of the largest one.
///
/// Cost: O(1) a key; making one O(size · log size) on average, 4 bytes a place. Owner thread: any
/// (not changed after its making).
/// Source: Eisenbud and others, "Maglev: A Fast and Reliable Software Network Load Balancer", NSDI
/// 2016, section 3.4 and pseudocode 1; Envoy maglev_lb.cc, commit 104df3d (the two hashes, the
/// order of turns, weights).
final class MaglevTable implements Placement {
  private final int[] owners;

  private MaglevTable(int[] owners) {
    this.owners = owners;
  }

  /// Envoy's: backends take turns in the order of their ids; offset and skip are XXH64 of the id
  /// with seeds 0 and 1.
  ///
  /// @param weighted whether backends have places by their weights
  static MaglevTable of(BackendSet backends, int size, boolean weighted) {
    int[] turns =
        IntStream.range(0, backends.size())
            .boxed()
            .sorted(Comparator.comparing(index -> backends.get(index).id()))
            .mapToInt(Integer::intValue)
            .toArray();
    int[] offsets = new int[turns.length];
    int[] skips = new int[turns.length];
    double[] weights = new double[turns.length];
    double sum = 0;
    for (int i = 0; i < turns.length; i++) {
      sum += weighted ? backends.get(i).weight() : 1;
    }
    for (int turn = 0; turn < turns.length; turn++) {
      String id = backends.get(turns[turn]).id();
      offsets[turn] = (int) Long.remainderUnsigned(XxHash64.of(id, 0), size);
      skips[turn] = (int) Long.remainderUnsigned(XxHash64.of(id, 1), size - 1) + 1;
      weights[turn] = (weighted ? backends.get(turns[turn]).weight() : 1) / sum;
    }
    int[] owners = fill(size, offsets, skips, weights);
    for (int i = 0; i < owners.length; i++) {
      owners[i] = turns[owners[i]];
    }
    return new MaglevTable(owners);
  }

  /// The table by turns: who has each place. Empty if there is nobody.
  ///
  /// @param size a prime
  /// @param offsets each one's first place, 0 to size - 1
  /// @param skips from each of its places to the next, 1 to size - 1
  /// @param weights above 0
  static int[] fill(int size, int[] offsets, int[] skips, double... weights) {
    if (weights.length == 0) {
      return new int[0];
    }
    double most = Arrays.stream(weights).max().orElseThrow();
    int[] owners = new int[size];
    Arrays.fill(owners, -1);
    int[] next = offsets.clone();
    double[] targets = new double[weights.length];
    int taken = 0;
    for (long round = 1; taken < size; round++) {
      for (int turn = 0; turn < weights.length && taken < size; turn++) {
        if (round * weights[turn] >= targets[turn]) {
          targets[turn] += most;
          int place = next[turn];
          while (owners[place] >= 0) {
            place = (place + skips[turn]) % size;
          }
          owners[place] = turn;
          next[turn] = (place + skips[turn]) % size;
          taken++;
        }
      }
    }
    return owners;
  }

  @Override
  public int indexOf(long key) {
    return owners[(int) Long.remainderUnsigned(key, owners.length)];
  }
}
