package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Law;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.SeededRandom;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Shards as infima makes them, the law of their overlaps, and the guarantee.
final class ShuffleShardingTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "shuffle-sharding(method=offsets,offsets=0+1,tenants=8)",
        "shuffle-sharding",
        "shuffle-sharding(size=2,inner=least-conn)",
        "shuffle-sharding(size=1)",
        "shuffle-sharding(method=searching,size=2,overlap=1,shards=3,inner=random)");
  }

  @Override
  protected int fewestBackends(String spec) {
    return spec.contains("size=1") ? 1 : 4;
  }

  @Override
  protected boolean isEven(String spec) {
    return !spec.contains("searching");
  }

  /// Infima's own procedure, with the JDK's classes.
  private static int[] infimasShard(long signature, int backends, int size) {
    List<Integer> endpoints = new ArrayList<>(IntStream.range(0, backends).boxed().toList());
    Collections.shuffle(endpoints, new Random(signature));
    return endpoints.subList(0, size).stream().mapToInt(Integer::intValue).toArray();
  }

  private static long infimasSignature(long seed, String identifier)
      throws GeneralSecurityException {
    MessageDigest md5 = MessageDigest.getInstance("MD5");
    md5.update(Long.toString(seed).getBytes(StandardCharsets.US_ASCII));
    byte[] digest = md5.digest(identifier.getBytes(StandardCharsets.US_ASCII));
    long signature = 0;
    for (int i = 0; i < 8; i++) {
      signature += (digest[i] & 0xFFL) << (8 * i);
    }
    return signature;
  }

  /// SimpleSignatureShuffleSharder on a lattice of one cell, with the seed of infima's tests.
  @ParameterizedTest
  @CsvSource({"20, 4", "12, 3", "16, 16", "7, 1", "1024, 4"})
  void signatureShardsAreInfimas(int backends, int size) throws GeneralSecurityException {
    SignatureShards shards = new SignatureShards(size, 0, backends);

    for (int tenant = 0; tenant < 500; tenant++) {
      long signature = infimasSignature(5353, Integer.toString(tenant));
      int[] shard = new int[size];
      shards.ofSignature(signature, shard);
      assertThat(shard).isEqualTo(infimasShard(signature, backends, size));
    }
  }

  /// More keys than are kept, twice, so that some are kept and some have been pushed out.
  @Test
  void aKeyHasTheSameShardWhicheverWereAskedForBetween() {
    SignatureShards shards = new SignatureShards(3, 0, 20);
    for (int round = 0; round < 2; round++) {
      for (long key = 0; key < 10_000; key++) {
        assertThat(shards.of(key)).isEqualTo(new SignatureShards(3, 0, 20).of(key));
      }
    }
    shards.update(4);
    assertThat(shards.of(9_999)).isEqualTo(new SignatureShards(3, 0, 4).of(9_999));
  }

  private static Set<String> used(LoadBalancer balancer, long key) {
    Set<String> ids = new TreeSet<>();
    for (int i = 0; i < 120; i++) {
      ids.add(Keyed.id(balancer, key));
    }
    return ids;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "shuffle-sharding(size=3,inner=random)",
        "shuffle-sharding(size=3,inner=random,method=searching,overlap=1,shards=12)"
      })
  void aKeyIsServedByItsShardAlone(String spec) {
    LoadBalancer balancer = Keyed.of(spec, BackendSet.ofSize(16));

    for (int tenant = 0; tenant < 50; tenant++) {
      Set<String> shard = used(balancer, Keyed.key(tenant));
      assertThat(shard).hasSize(3);
      assertThat(used(balancer, Keyed.key(tenant))).isEqualTo(shard);
    }
  }

  @Test
  void innerRuleSeesTheShardsLoads() {
    int[] loads = new int[16];
    Arrays.fill(loads, 5);
    LoadBalancer balancer =
        Keyed.of("shuffle-sharding(inner=least-conn)", BackendSet.ofSize(16), i -> loads[i]);
    Set<String> shard = new TreeSet<>(used(balancer, 77));

    for (String member : shard) {
      int index = Integer.parseInt(member.substring(1));
      loads[index] = 4;
      assertThat(used(balancer, 77)).containsExactly(member);
      loads[index] = 5;
    }
  }

  /// Two independent shards of 4 of 16 share j with the hypergeometric probability C(4,j)
  /// C(12,4-j) / C(16,4). 20 000 disjoint pairs of keys; the bound is left once in 10^6 sets of
  /// keys.
  @Test
  void overlapsAreHypergeometric() {
    SignatureShards shards = new SignatureShards(4, 0, 16);
    long[] counts = new long[5];
    for (int pair = 0; pair < 20_000; pair++) {
      int[] first = shards.of(Keyed.key(2 * pair)).clone();
      int[] second = shards.of(Keyed.key(2 * pair + 1));
      counts[shared(first, second)]++;
    }

    double[] ways = {495, 4 * 220, 6 * 66, 4 * 12, 1};
    assertThat(Law.chiSquare(counts, Arrays.stream(ways).map(way -> way / 1820).toArray()))
        .isLessThan(Law.chiSquareBound(5));
  }

  private static int shared(int[] first, int[] second) {
    return (int)
        Arrays.stream(first)
            .filter(one -> Arrays.stream(second).anyMatch(other -> other == one))
            .count();
  }

  @ParameterizedTest
  @CsvSource({"16, 4, 2, 32", "12, 3, 1, 12", "20, 4, 2, 100", "64, 4, 1, 60", "9, 2, 0, 4"})
  void searchedShardsShareNoMoreThanTheOverlap(int backends, int size, int overlap, int count) {
    int[][] shards = ShardSearch.find(backends, size, overlap, count, 0);

    assertThat(shards.length).isEqualTo(count);
    for (int i = 0; i < count; i++) {
      assertThat(Arrays.stream(shards[i]).distinct().count()).isEqualTo(size);
      for (int j = 0; j < i; j++) {
        assertThat(shared(shards[i], shards[j])).isLessThanOrEqualTo(overlap);
      }
    }
  }

  /// StatefulSearchingShuffleSharderTests: 5 endpoints, 4 a shard, 2 shared: one shard and no more.
  @Test
  void findsAsManyAsInfimasTestSays() {
    assertThat(ShardSearch.find(5, 4, 2, 2, 0).length).isEqualTo(1);
    // Its documentation: of 5, shards of 3 that share 1: two and no more.
    assertThat(ShardSearch.find(5, 3, 1, 9, 0).length).isEqualTo(2);
  }

  /// Infima's order of trials without leaving branches early: all whole shards in order.
  @Test
  void leavingBranchesEarlyFindsTheSameShards() {
    for (long seed = 0; seed < 20; seed++) {
      List<int[]> plain = new ArrayList<>();
      LegacyRandom random = new LegacyRandom();
      random.seed(seed);
      int[] order = Members.all(8);
      for (int found = -1; found < plain.size(); ) {
        found = plain.size();
        random.shuffle(order);
        firstThatFits(order, plain);
      }
      assertThat(ShardSearch.find(8, 3, 1, 50, seed)).isDeepEqualTo(plain.toArray(new int[0][]));
    }
  }

  private static void firstThatFits(int[] order, List<int[]> before) {
    for (int a = 0; a < order.length; a++) {
      for (int b = a + 1; b < order.length; b++) {
        for (int c = b + 1; c < order.length; c++) {
          int[] shard = {order[a], order[b], order[c]};
          if (before.stream().allMatch(other -> shared(shard, other) <= 1)) {
            before.add(shard);
            return;
          }
        }
      }
    }
  }

  @Test
  void legacyRandomIsThatOfTheJdk() {
    LegacyRandom legacy = new LegacyRandom();
    SeededRandom seeds = SeededRandom.of(4, "seeds", 0);
    for (int round = 0; round < 200; round++) {
      long seed = Double.doubleToLongBits(seeds.unit());
      Random jdk = new Random(seed);
      legacy.seed(seed);
      for (int bound : new int[] {1, 2, 3, 16, 17, 1 << 30, (1 << 30) + 1, Integer.MAX_VALUE}) {
        assertThat(legacy.below(bound)).isEqualTo(jdk.nextInt(bound));
      }
    }
  }

  @Test
  void aSetThatShrinksIsServedByWhatThereIs() {
    for (String spec :
        List.of(
            "shuffle-sharding(size=4,inner=random)",
            "shuffle-sharding(size=4,inner=random,method=searching,overlap=2,shards=32)")) {
      LoadBalancer balancer = Keyed.of(spec, BackendSet.ofSize(16));
      balancer.update(BackendSet.ofSize(3));
      assertThat(used(balancer, 5)).containsExactly("b0", "b1", "b2");
      balancer.update(BackendSet.ofSize(6));
      assertThat(used(balancer, 5)).hasSize(4);
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "shuffle-sharding(overlap=1) | overlap=1 (expected: method=searching with it)",
        "shuffle-sharding(shards=9) | shards=9 (expected: method=searching with it)",
        "shuffle-sharding(method=searching,overlap=4) | overlap=4 (expected: below size, 4)"
      })
  void refusesWhatDoesNotFit(String spec, String message) {
    assertThatThrownBy(() -> Algorithms.builtIn().parse(spec, 1)).hasMessageEndingWith(message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "shuffle-sharding(size=9) | size: 9 (expected: at most the number of backends, 8)",
        "shuffle-sharding(method=searching,size=4,overlap=0,shards=3) | shards: 3 (expected: at most 2,"
            + " all that were found with size=4 and overlap=0 on 8 backends)"
      })
  void refusesWhatTheBackendsCannotMeet(String spec, String message) {
    assertThatThrownBy(() -> Keyed.of(spec, BackendSet.ofSize(8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(message);
  }
}
