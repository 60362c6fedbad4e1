package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.XxHash64;
import java.util.Arrays;

/// Shards that a hash of the key alone determines: all backends are shuffled with it as the seed,
/// and the first ones are the shard.
///
/// Cost: O(n) a key, n - 1 numbers. Owner thread: its balancer's.
/// Source: awslabs/route53-infima `SimpleSignatureShuffleSharder`, commit cabce49.
final class SignatureShards implements ShuffleSharding.Shards {
  private final int size;
  private final long seed;
  private final LegacyRandom random = new LegacyRandom();
  private int[] all = new int[0];
  private int[] shuffled = new int[0];
  private int[] shard = new int[0];

  SignatureShards(int size, long seed, int backends) {
    this.size = size;
    this.seed = seed;
    update(backends);
  }

  @Override
  public int[] of(long key) {
    return ofSignature(XxHash64.of(key, seed));
  }

  /// The shard of infima's 64-bit signature.
  int[] ofSignature(long signature) {
    System.arraycopy(all, 0, shuffled, 0, all.length);
    random.seed(signature);
    random.shuffle(shuffled);
    System.arraycopy(shuffled, 0, shard, 0, shard.length);
    return shard;
  }

  @Override
  public void update(int backends) {
    all = Members.all(backends);
    shuffled = Arrays.copyOf(all, backends);
    shard = new int[Math.min(size, backends)];
  }
}
