package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Rings and points as the tests of Envoy and libmemcached have them, and what consistent hashing
/// promises.
final class RingHashTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "ring-hash",
        "ring-hash(min-size=100,max-size=200)",
        "ring-hash(hash=ketama)",
        "ring-hash(hash=crc32)",
        "ring-hash(as=envoy)",
        "ring-hash(as=nginx)",
        "ring-hash(as=haproxy)");
  }

  /// Shares on a ring differ from backend to backend.
  @Override
  protected boolean isEven(String spec) {
    return false;
  }

  private static BackendSet named(String... ids) {
    return BackendSet.of(Stream.of(ids).map(Backend::of).toList());
  }

  private static BackendSet envoys() {
    return named(
        "127.0.0.1:90",
        "127.0.0.1:91",
        "127.0.0.1:92",
        "127.0.0.1:93",
        "127.0.0.1:94",
        "127.0.0.1:95");
  }

  /// Envoy ring_hash_lb_test.cc, `Basic`, commit 13e9fdb.
  @Test
  void ringIsEnvoys() {
    HashRing ring = RingPoints.envoys(envoys(), 12, 8_388_608);
    List<String> points = new ArrayList<>();
    for (int i = 0; i < ring.points(); i++) {
      points.add("9" + ring.ownerOf(i) + " " + Long.toUnsignedString(ring.placeOf(i)));
    }

    assertThat(points)
        .containsExactly(
            "94 833437586790550860",
            "92 928266305478181108",
            "90 1033482794131418490",
            "95 3551244743356806947",
            "93 3851675632748031481",
            "91 5583722120771150861",
            "91 6311230543546372928",
            "93 7700377290971790572",
            "95 13144177310400110813",
            "92 13444792449719432967",
            "94 15516499411664133160",
            "90 16117243373044804889");
  }

  /// The picks of the same test.
  @ParameterizedTest
  @CsvSource({
    "18446744073709551615, 4",
    "3551244743356806947, 5",
    "3551244743356806948, 3",
    "16117243373044804880, 0"
  })
  void picksAreEnvoys(String key, int index) {
    LoadBalancer balancer = Keyed.of("ring-hash(min-size=12)", envoys());

    assertThat(Keyed.pick(balancer, Long.parseUnsignedLong(key)).index()).isEqualTo(index);
  }

  /// A third of 2048 each, weights 1:2 of the least ring that gives the lighter one whole points.
  @Test
  void pointsFollowWeights() {
    BackendSet backends = BackendSet.of(Bench.weighted(1, 2));
    int[] counts = new int[2];
    HashRing ring = RingPoints.envoys(backends, 1024, 8_388_608);
    for (int i = 0; i < ring.points(); i++) {
      counts[ring.ownerOf(i)]++;
    }

    // ceil(1024 / 3) = 342 for the lighter one.
    assertThat(counts).containsExactly(342, 684);
  }

  /// Envoy's own example in the comment of its source: four hosts on a ring of at most 6.
  @Test
  void aRingThatIsTooSmallForWholePointsIsSharedByRunningSums() {
    HashRing ring = RingPoints.envoys(named("a", "b", "c", "d"), 1, 6);
    int[] counts = new int[4];
    for (int i = 0; i < ring.points(); i++) {
      counts[ring.ownerOf(i)]++;
    }
    assertThat(counts).containsExactly(1, 1, 1, 1);

    HashRing larger = RingPoints.envoys(named("a", "b", "c", "d"), 7, 6);
    int[] shared = new int[4];
    for (int i = 0; i < larger.points(); i++) {
      shared[larger.ownerOf(i)]++;
    }
    assertThat(shared).containsExactly(2, 1, 2, 1);
  }

  private record KetamaCase(long place, long point, String server) {}

  private static List<KetamaCase> ketamaCases() throws IOException {
    try (InputStream in =
        Objects.requireNonNull(RingHashTest.class.getResourceAsStream("ketama.tsv"))) {
      return new String(in.readAllBytes(), StandardCharsets.US_ASCII)
          .lines()
          .map(line -> line.split("\t"))
          .map(at -> new KetamaCase(Long.parseLong(at[1]), Long.parseLong(at[2]), at[3]))
          .toList();
    }
  }

  private static BackendSet ketamaServers() {
    int[] weights = {600, 300, 200, 350, 1000, 800, 950, 100};
    List<Backend> backends = new ArrayList<>();
    for (int i = 0; i < weights.length; i++) {
      backends.add(new Backend("10.0.1." + (i + 1), weights[i]));
    }
    return BackendSet.of(backends);
  }

  /// libmemcached test/fixtures/ketama.hpp, commit 374774d: a key, its MD5 place, the point that it
  /// falls on, and whose that is. The ids leave out memcached's own port, as libmemcached does.
  @Test
  void ketamaPointsAreThoseOfMemcachedClients() throws IOException {
    HashRing ring = RingPoints.ketama(ketamaServers());
    LoadBalancer balancer = Keyed.of("ring-hash(hash=ketama)", ketamaServers());

    assertThat(ketamaCases()).hasSize(99);
    for (KetamaCase one : ketamaCases()) {
      assertThat(ring.placeOf(ring.pointOf(one.place()))).isEqualTo(one.point());
      assertThat(Keyed.id(balancer, one.place())).isEqualTo(one.server());
    }
  }

  /// The same test: the place fffcd1b5 is after the last point and falls on the first.
  @Test
  void aKetamaRingGoesRound() {
    HashRing ring = RingPoints.ketama(ketamaServers());

    assertThat(ring.pointOf(0xFFFC_D1B5L)).isZero();
    assertThat(ring.placeOf(ring.points() - 1)).isLessThan(0xFFFC_D1B5L);
  }

  @Test
  void equalWeightsHave160KetamaPointsEach() {
    int[] counts = new int[4];
    HashRing ring = RingPoints.ketama(named("a", "b", "c", "d"));
    for (int i = 0; i < ring.points(); i++) {
      counts[ring.ownerOf(i)]++;
    }

    assertThat(counts).containsOnly(160);
  }

  /// From a Python program of ten lines, with `binascii.crc32`, after nginx's source.
  @Test
  void crcRingIsNginxs() {
    HashRing ring =
        RingPoints.nginxs(
            BackendSet.of(
                List.of(
                    new Backend("127.0.0.1:8081", 1),
                    new Backend("127.0.0.1:8082", 2),
                    new Backend("backend", 1))));
    StringBuilder owners = new StringBuilder();
    for (long place = 0; place < 1L << 32; place += 1L << 27) {
      owners.append((char) ('a' + ring.indexOf(place)));
    }

    assertThat(owners.toString()).isEqualTo("acbbcbbcabcccaaccaabcabcabbbbcab");
    assertThat(ring.points()).isEqualTo(640);
    assertThat(ring.placeOf(0)).isEqualTo(858_133);
    assertThat(ring.placeOf(639)).isEqualTo(4_291_836_733L);
  }

  @Test
  void asHaproxyKeysFallOnTheNearestPoint() {
    BackendSet backends = BackendSet.of(Bench.weighted(3, 1, 2));
    HaproxyRing ring = new HaproxyRing(backends, new ScriptedCoins());
    LoadBalancer balancer = Keyed.of("ring-hash(as=haproxy)", backends);

    for (long place = 1; place < 1L << 32; place += (1L << 24) - 3) {
      long key = place | 0x5555_0000_0000_0000L;
      assertThat(Keyed.pick(balancer, key).index()).isEqualTo(ring.nearest(place));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ring-hash(min-size=1)",
        "ring-hash(hash=crc32)",
        "ring-hash(as=haproxy)",
        "ring-hash(hash=ketama)"
      })
  void onlyTheKeysOfABackendThatLeavesMove(String spec) {
    BackendSet all = BackendSet.ofSize(16);
    LoadBalancer balancer = Keyed.of(spec, all);
    List<String> before = Keyed.ids(balancer, 5000);

    balancer.update(Keyed.without(all, "b7"));
    List<String> after = Keyed.ids(balancer, 5000);

    for (int i = 0; i < before.size(); i++) {
      if (before.get(i).equals("b7")) {
        assertThat(after.get(i)).isNotEqualTo("b7");
      } else {
        assertThat(after.get(i)).isEqualTo(before.get(i));
      }
    }
    balancer.update(all);
    assertThat(Keyed.ids(balancer, 5000)).isEqualTo(before);
  }

  /// With one backend less Envoy gives each of the others more points to keep the ring's size: 69
  /// in the place of 64, of 1035 in all, so that about 75 / 1035 of the others' keys find a new
  /// point before their own, nearly always of another backend.
  @Test
  void fewOtherKeysMoveOnARingOfFixedSize() {
    BackendSet all = BackendSet.ofSize(16);
    LoadBalancer balancer = Keyed.of("ring-hash", all);
    List<String> before = Keyed.ids(balancer, 5000);
    balancer.update(Keyed.without(all, "b7"));
    List<String> after = Keyed.ids(balancer, 5000);
    int kept = 0;
    int moved = 0;
    for (int i = 0; i < before.size(); i++) {
      if (!before.get(i).equals("b7")) {
        kept++;
        moved += before.get(i).equals(after.get(i)) ? 0 : 1;
      }
    }

    assertThat(moved / (double) kept).isBetween(0.03, 0.12);
  }

  @Test
  void proxiesAgreeWhateverTheirCoins() {
    BackendSet backends = BackendSet.ofSize(16);

    assertThat(Keyed.ids(Keyed.of("ring-hash", backends), 1000))
        .isEqualTo(
            Keyed.ids(Keyed.of("ring-hash", backends.next(List.of()).next(list(backends))), 1000));
  }

  private static List<Backend> list(BackendSet backends) {
    List<Backend> all = new ArrayList<>();
    for (int i = 0; i < backends.size(); i++) {
      all.add(backends.get(i));
    }
    return all;
  }

  /// With v points each, gaps between random points are exponential, and the relative variance of a
  /// share is 1/v. 400 backends, v = 160: the estimate's standard deviation is about sqrt(2/400) of
  /// it, and five of these are not left once in a million choices of ids.
  @Test
  void sharesSpreadAsPointsPredict() {
    int backends = 400;
    int pointsEach = 160;
    HashRing ring =
        RingPoints.envoys(BackendSet.ofSize(backends), backends * pointsEach, 8_388_608);
    double[] shares = new double[backends];
    for (int i = 0; i < ring.points(); i++) {
      long before = ring.placeOf((i == 0 ? ring.points() : i) - 1);
      shares[ring.ownerOf(i)] += (ring.placeOf(i) - before) * 0x1.0p-64;
    }
    double sum = 0;
    for (double share : shares) {
      assertThat(share).isPositive();
      sum += (share * backends - 1) * (share * backends - 1);
    }

    assertThat(sum / backends * pointsEach).isBetween(0.65, 1.35);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "ring-hash(min-size=20,max-size=10) | min-size=20 (expected: at most max-size, 10)",
        "ring-hash(hash=ketama,min-size=20) | min-size=20 (expected: hash=xxhash with it)",
        "ring-hash(as=nginx,hash=ketama) | hash=ketama (expected: crc32 with as=nginx)",
        "ring-hash(min-size=0) | min-size=0 (expected: a whole number from 1 to 8388608)"
      })
  void refusesWhatDoesNotFit(String spec, String message) {
    assertThatThrownBy(() -> Algorithms.builtIn().parse(spec, 1)).hasMessageEndingWith(message);
  }
}
