package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.XxHash64;
import java.util.Arrays;

/// Shards that a hash of the key alone determines: all backends are shuffled with it as the seed,
/// and the first ones are the shard.
///
/// Cost: O(n) a key, n - 1 numbers; O(1) while it is among those kept, one for each
/// value of its low bits. Owner thread: its balancer's.
/// Source: awslabs/route53-infima `SimpleSignatureShuffleSharder`, commit cabce49.
final class SignatureShards implements ShuffleSharding.Shards {
  // In all shards that are kept together: 4096 of four.
  private static final int KEPT_MEMBERS = 1 << 14;

  private final int size;
  private final long seed;
  private final LegacyRandom random = new LegacyRandom();
  private int[] all = new int[0];
  private int[] shuffled = new int[0];
  private long[] keptKeys = new long[0];
  private boolean[] isKept = new boolean[0];
  private int[][] kept = new int[0][];

  SignatureShards(int size, long seed, int backends) {
    this.size = size;
    this.seed = seed;
    update(backends);
  }

  @Override
  public int[] of(long key) {
    int at = (int) key & (kept.length - 1);
    if (keptKeys[at] != key || !isKept[at]) {
      keptKeys[at] = key;
      isKept[at] = true;
      ofSignature(XxHash64.of(key, seed), kept[at]);
    }
    return kept[at];
  }

  /// Fills `shard` with that of infima's 64-bit signature.
  void ofSignature(long signature, int[] shard) {
    System.arraycopy(all, 0, shuffled, 0, all.length);
    random.seed(signature);
    random.shuffle(shuffled);
    System.arraycopy(shuffled, 0, shard, 0, shard.length);
  }

  @Override
  public void update(int backends) {
    all = Members.all(backends);
    shuffled = Arrays.copyOf(all, backends);
    int members = Math.min(size, backends);
    int shards = Integer.highestOneBit(KEPT_MEMBERS / Math.max(1, members));
    keptKeys = new long[shards];
    isKept = new boolean[shards];
    kept = new int[shards][members];
  }
}
