package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.RequestKey;
import java.util.Arrays;
import java.util.Comparator;
import java.util.stream.IntStream;

/// Shards that are stated: tenant i has the backends i - 1 + o modulo n, for each of some offsets
/// o. The tenants are those of a generator, `t1`, `t2` ...; any other key has the shard of the
/// tenant on which its remainder falls.
///
/// Cost: O(log tenants) a key; nothing is allocated. Owner thread: its balancer's.
/// Source: the study `shuffle` of the model, whose shards these are with `offsets=0+1+3` on twelve
/// backends.
final class OffsetShards implements ShuffleSharding.Shards {
  private final int[] offsets;
  private final long[] keys;
  private final int[] tenants;
  private final int[] shard;
  private int backends;

  /// @param offsets different from each other on any set that they are used on
  OffsetShards(int[] offsets, int tenants, int backends) {
    this.offsets = offsets;
    this.shard = new int[offsets.length];
    this.backends = backends;
    long[] byTenant = new long[tenants];
    for (int i = 0; i < tenants; i++) {
      byTenant[i] = RequestKey.of("t" + (i + 1));
    }
    this.tenants =
        IntStream.range(0, tenants)
            .boxed()
            .sorted(Comparator.comparingLong(tenant -> byTenant[tenant]))
            .mapToInt(Integer::intValue)
            .toArray();
    this.keys = Arrays.stream(this.tenants).mapToLong(tenant -> byTenant[tenant]).toArray();
  }

  @Override
  public int[] of(long key) {
    int at = Arrays.binarySearch(keys, key);
    int tenant = at >= 0 ? tenants[at] : (int) Long.remainderUnsigned(key, keys.length);
    for (int i = 0; i < shard.length; i++) {
      shard[i] = (tenant + offsets[i]) % backends;
    }
    return shard;
  }

  @Override
  public void update(int next) {
    backends = next;
  }
}
