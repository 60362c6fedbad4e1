package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.Arrays;
import java.util.List;

/// Each key has a shard, a few of the backends, and is served by these alone: what one tenant does
/// to its backends reaches few others. Within the shard an inner rule picks. See [SignatureShards]
/// and [SearchedShards].
///
/// Cost: that of finding the shard, and the inner rule's. Owner thread: its dispatcher's.
final class ShuffleSharding implements LoadBalancer {
  private static final String SEARCHING = "method=searching with it";
  private static final String OFFSETS = "method=offsets with it";

  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "shuffle-sharding",
              "Each key has a shard, a few of the backends, and is served by these alone; within it an inner"
                  + " rule picks. What one tenant does to its backends so reaches few others.",
              List.of(
                  Parameter.whole("size", 1, 1024, "4", "backends of a shard"),
                  Parameter.choice(
                      "method",
                      List.of("signature", "searching", "offsets"),
                      "signature",
                      "a shuffle of all backends with a hash of the key as its seed, whose first ones are"
                          + " the shard; or one of a number of shards that were searched for, no two of"
                          + " which share more than `overlap`; or stated: tenant i has the backends i - 1 plus"
                          + " each of `offsets`, modulo n"),
                  Parameter.wholes(
                      "offsets", 0, 1023, "0+1+3", "the shard of tenant t1, backends from 0"),
                  Parameter.whole(
                      "tenants",
                      1,
                      100_000,
                      "12",
                      "tenants t1, t2 ... that have shards of their own"),
                  Parameter.whole(
                      "overlap",
                      0,
                      1023,
                      "2",
                      "backends that two shards share at most; below size"),
                  Parameter.whole("shards", 1, 100_000, "32", "shards to be searched for"),
                  Parameter.whole(
                      "seed",
                      0,
                      Integer.MAX_VALUE,
                      "0",
                      "of the shuffles; proxies with the same seed have the same shards"),
                  InnerRule.parameter(
                      "how a backend of the shard is picked",
                      InnerRule.P2C,
                      InnerRule.LEAST_CONN,
                      InnerRule.RANDOM)),
              "O(1), O(n) for a key whose shard is not kept, and that of the inner rule",
              "the shards of recent keys, of 16384 members in all; with `method=searching` all shards, which are searched for anew when the set changes."
                  + " Refused at the start: a shard larger than the set, and more shards than can be found."
                  + " If the set changes later so that this no longer holds, a shard is all of a smaller set,"
                  + " and there are as many shards as can be found",
              List.of(
                  "`method=signature`: awslabs/route53-infima `SimpleSignatureShuffleSharder`, commit cabce49"
                      + " (2020), on a lattice of one cell",
                  "`method=searching`: route53-infima `StatefulSearchingShuffleSharder`",
                  "MacCarthaigh, *Workload isolation using shuffle-sharding*, Amazon Builders' Library"),
              List.of(
                  "Infima's seed is the MD5 of seed and identifier; here it is XXH64 of the key with the seed.",
                  "Infima gives a searched shard to whoever asks and keeps that in a store. Here all are made"
                      + " in advance, alike in all proxies, and a key has the one that it falls on: two tenants"
                      + " may have the same one, but never two that share more than `overlap`.",
                  "Infima searches in an order that differs each time; here the seed determines it. A search"
                      + " for one shard ends after a million steps.",
                  "`method=offsets` is no product's; on a set that has become smaller a shard may name a backend"
                      + " more than once.",
                  "A request without a key gets a random one."));
        }

        @Override
        public Regard regard(Parameters parameters) {
          return InnerRule.regard(parameters);
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          Settings settings = Settings.of(parameters);
          boolean stated = settings.choice("method").equals("offsets");
          int size = stated ? parameters.wholes("offsets").length : settings.whole("size");
          if (backends.size() > 0 && size > backends.size()) {
            throw refusal("size", size, "at most the number of backends, " + backends.size());
          }
          Shards shards =
              switch (settings.choice("method")) {
                case "searching" -> searched(settings, size, backends.size());
                case "offsets" -> stated(settings, parameters, backends.size());
                default -> signed(settings, size, backends.size());
              };
          Selector inner = InnerRule.of(settings, ports.random());
          return new ShuffleSharding(backends, view, shards, inner, ports.random());
        }
      };

  private final Shards shards;
  private final Members members;
  private final Selector inner;
  private final Ports.RandomSource random;
  private BackendSet backends;

  private ShuffleSharding(
      BackendSet backends, View view, Shards shards, Selector inner, Ports.RandomSource random) {
    this.shards = shards;
    this.inner = inner;
    this.random = random;
    this.backends = backends;
    this.members = new Members(view, new int[0]);
  }

  /// The shards of all keys.
  interface Shards {
    /// The indices of the key's shard; theirs, not a copy. Hot path: allocates nothing.
    int[] of(long key);

    /// Replaces the set.
    void update(int backends);
  }

  private static Shards stated(Settings settings, Parameters parameters, int backends) {
    for (String others : List.of("size", "overlap", "shards", "seed")) {
      settings.refuseGiven(others, "no " + others + " with method=offsets");
    }
    int[] offsets = parameters.wholes("offsets");
    int modulus = backends == 0 ? Integer.MAX_VALUE : backends;
    if (Arrays.stream(offsets).map(offset -> offset % modulus).distinct().count()
        < offsets.length) {
      throw new IllegalArgumentException(
          "offsets: %s (expected: different ones, modulo the number of backends)"
              .formatted(parameters.given("offsets").orElse("0+1+3")));
    }
    return new OffsetShards(offsets, settings.whole("tenants"), backends);
  }

  private static void refuseStated(Settings settings) {
    settings.refuseGiven("offsets", OFFSETS);
    settings.refuseGiven("tenants", OFFSETS);
  }

  private static Shards signed(Settings settings, int size, int backends) {
    refuseStated(settings);
    settings.refuseGiven("overlap", SEARCHING);
    settings.refuseGiven("shards", SEARCHING);
    return new SignatureShards(size, settings.whole("seed"), backends);
  }

  private static Shards searched(Settings settings, int size, int backends) {
    refuseStated(settings);
    int overlap = settings.whole("overlap");
    int wanted = settings.whole("shards");
    if (overlap >= size) {
      throw refusal("overlap", overlap, "below size, " + size);
    }
    SearchedShards shards =
        new SearchedShards(size, overlap, wanted, settings.whole("seed"), backends);
    if (backends > 0 && shards.count() < wanted) {
      throw refusal(
          "shards",
          wanted,
          "at most "
              + shards.count()
              + ", all that were found with size="
              + size
              + " and overlap="
              + overlap
              + " on "
              + backends
              + " backends");
    }
    return shards;
  }

  private static IllegalArgumentException refusal(String name, int value, String expected) {
    return new IllegalArgumentException("%s: %d (expected: %s)".formatted(name, value, expected));
  }

  @Override
  public PickResult pick(PickContext context) {
    if (backends.size() == 0) {
      return NoBackend.EMPTY_SET;
    }
    members.become(shards.of(KeyedBalancer.key(context, random)));
    return new Picked(backends, members.index(inner.select(members, members.size())));
  }

  @Override
  public void update(BackendSet next) {
    shards.update(next.size());
    backends = next;
  }
}
