package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The table of the paper, those of Envoy's tests, and what Maglev promises.
final class MaglevTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "maglev", "maglev(table-size=251,weights=ignored)", "maglev(as=envoy,table-size=65537)");
  }

  /// A table of 251 places gives 8 backends 31 or 32 each; 80 000 picks see the difference.
  @Override
  protected boolean isEven(String spec) {
    return !spec.contains("251");
  }

  /// NSDI 2016, table 1: the permutations of B0, B1 and B2 are 3 0 4 1 5 2 6, 0 2 4 6 1 3 5 and
  /// 3 4 5 6 0 1 2.
  @Test
  void tableIsThatOfThePaper() {
    assertThat(MaglevTable.fill(7, new int[] {3, 0, 3}, new int[] {4, 2, 1}, 1, 1, 1))
        .containsExactly(1, 0, 1, 0, 2, 2, 0);
  }

  /// The same table after B1 was removed: here B2 is number 1.
  @Test
  void tableWithoutABackendIsThatOfThePaper() {
    assertThat(MaglevTable.fill(7, new int[] {3, 3}, new int[] {4, 1}, 1, 1))
        .containsExactly(0, 0, 0, 0, 1, 1, 1);
  }

  /// Envoy maglev_lb_test.cc, commit 08417eb: `Basic` and `BasicWithHostName`.
  @ParameterizedTest
  @CsvSource({"127.0.0.1:9, 2 4 0 1 5 0 3", "9, 2 5 0 3 4 1 0"})
  void tablesAreEnvoys(String prefix, String assignments) {
    List<Backend> backends = Stream.of(0, 1, 2, 3, 4, 5).map(i -> Backend.of(prefix + i)).toList();
    LoadBalancer balancer = Keyed.of("maglev(table-size=7)", BackendSet.of(backends));
    int[] expected = Arrays.stream(assignments.split(" ")).mapToInt(Integer::parseInt).toArray();

    for (int key = 1; key < 22; key++) {
      assertThat(Keyed.pick(balancer, key).index()).isEqualTo(expected[key % 7]);
    }
  }

  @Test
  void orderOfTheSetDoesNotMatter() {
    BackendSet set = BackendSet.ofSize(9);
    List<Backend> turned = Stream.of(4, 2, 8, 0, 7, 6, 1, 3, 5).map(set::get).toList();

    assertThat(Keyed.ids(Keyed.of("maglev", set), 2000))
        .isEqualTo(Keyed.ids(Keyed.of("maglev", BackendSet.of(turned)), 2000));
  }

  @Test
  void equalBackendsHaveEqualNumbersOfPlacesButForOne() {
    for (int size = 1; size <= 40; size++) {
      long[] places = places(BackendSet.ofSize(size), 251);
      long least = 251 / size;
      assertThat(Arrays.stream(places)).allMatch(count -> count == least || count == least + 1);
    }
  }

  /// Turns are counted in whole rounds: the lightest has 251 / 16 places, give or take one, and a
  /// heavier one as many times more.
  @Test
  void placesFollowWeights() {
    long[] places = places(BackendSet.of(Bench.weighted(1, 2, 3, 10)), 65_537);

    for (int i = 0; i < 4; i++) {
      double expected = 65_537 * new int[] {1, 2, 3, 10}[i] / 16.0;
      assertThat((double) places[i]).isBetween(expected - 2, expected + 2);
    }
  }

  private static long[] places(BackendSet backends, int size) {
    MaglevTable table = MaglevTable.of(backends, size, true);
    long[] places = new long[backends.size()];
    for (int key = 0; key < size; key++) {
      places[table.indexOf(key)]++;
    }
    return places;
  }

  /// All keys of the one that leaves move; of the others' few: the paper's figure 12 has some per
  /// cent for tables a hundred times the number of backends, and less for larger ones.
  @Test
  void fewOtherKeysMoveWhenABackendLeaves() {
    BackendSet all = BackendSet.ofSize(16);
    MaglevTable before = MaglevTable.of(all, 65_537, true);
    BackendSet rest = Keyed.without(all, "b7");
    MaglevTable after = MaglevTable.of(rest, 65_537, true);
    int moved = 0;
    int kept = 0;
    for (int key = 0; key < 65_537; key++) {
      String was = all.get(before.indexOf(key)).id();
      if (!was.equals("b7")) {
        kept++;
        moved += rest.get(after.indexOf(key)).id().equals(was) ? 0 : 1;
      }
    }

    assertThat(moved / (double) kept).isLessThan(0.05);
  }

  @Test
  void aSetThatOutgrowsTheTableIsServedAllTheSame() {
    LoadBalancer balancer = Keyed.of("maglev(table-size=3)", BackendSet.ofSize(2));
    balancer.update(BackendSet.ofSize(10));

    assertThat(Keyed.ids(balancer, 1000)).hasSize(1000);
    assertThat(Keyed.ids(balancer, 1000).stream().distinct()).hasSize(3);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "maglev(table-size=65536) | table-size=65536 (expected: a prime number)",
        "maglev(table-size=9) | table-size=9 (expected: a prime number)",
        "maglev(table-size=1) | table-size=1 (expected: a whole number from 2 to 5000011)"
      })
  void refusesWhatDoesNotFit(String spec, String message) {
    assertThatThrownBy(() -> Algorithms.builtIn().parse(spec, 1)).hasMessageEndingWith(message);
  }

  @Test
  void refusesMoreBackendsThanPlaces() {
    assertThatThrownBy(() -> Keyed.of("maglev(table-size=7)", BackendSet.ofSize(8)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("table-size: 7 (expected: at least the number of backends, 8)");
  }
}
