package dev.herdlab.balancer.algorithm;

/// Shards that were searched for, no two of which share more than a given number of backends; a key
/// has the one whose number its remainder is.
///
/// Cost: O(1) a key; a search when the set changes. Owner thread: its balancer's.
/// Source: see [ShardSearch].
final class SearchedShards implements ShuffleSharding.Shards {
  private final int size;
  private final int overlap;
  private final int wanted;
  private final long seed;
  private int[][] shards = new int[0][];

  SearchedShards(int size, int overlap, int wanted, long seed, int backends) {
    this.size = size;
    this.overlap = overlap;
    this.wanted = wanted;
    this.seed = seed;
    update(backends);
  }

  /// How many were found: none without backends, else one at least.
  int count() {
    return shards.length;
  }

  @Override
  public int[] of(long key) {
    return shards[(int) Long.remainderUnsigned(key, shards.length)];
  }

  @Override
  public void update(int backends) {
    if (backends == 0) {
      shards = new int[0][];
    } else if (backends <= size) {
      shards = new int[][] {Members.all(backends)};
    } else {
      shards = ShardSearch.find(backends, size, overlap, wanted, seed);
    }
  }
}
