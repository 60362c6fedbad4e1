package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import dev.herdlab.balancer.EveryOutcome;
import dev.herdlab.balancer.Law;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class PowerOfChoicesTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of(
        "p2c",
        "p2c(draws=distinct)",
        "p2c(ties=random)",
        "p2c(d=1)",
        "p2c(d=3,draws=distinct,ties=random)",
        "p2c(d=64,draws=distinct)");
  }

  /// One pick: which backends were looked at, in order, and which was taken.
  private record Pick(List<Integer> drawn, int taken) implements Comparable<Pick> {
    @Override
    public int compareTo(Pick other) {
      return toString().compareTo(other.toString());
    }
  }

  private static Map<Pick, Double> picks(
      int d, PowerOfChoices.Draws draws, PowerOfChoices.Ties ties, int... loads) {
    return EveryOutcome.law(
        coins -> {
          List<Integer> drawn = new ArrayList<>();
          LoadMetric metric =
              index -> {
                drawn.add(index);
                return loads[index];
              };
          int taken = new PowerOfChoices(d, draws, ties, coins).select(metric, loads.length);
          return new Pick(drawn, taken);
        });
  }

  @ParameterizedTest
  @EnumSource
  void neverTakesAFullerOneThanItDrew(PowerOfChoices.Draws draws) {
    int[] loads = new int[4];
    Law.forEveryLoad(
        loads,
        2,
        () -> {
          for (PowerOfChoices.Ties ties : PowerOfChoices.Ties.values()) {
            for (Pick pick : picks(2, draws, ties, loads).keySet()) {
              assertThat(pick.drawn()).hasSize(2).contains(pick.taken());
              assertThat(pick.drawn()).allMatch(index -> loads[index] >= loads[pick.taken()]);
            }
          }
        });
  }

  @Test
  void lawWithReplacementIsThatOfAllPairsOfDraws() {
    int[] loads = new int[4];
    Law.forEveryLoad(
        loads,
        2,
        () -> {
          double[] expected = new double[4];
          for (int first = 0; first < 4; first++) {
            for (int second = 0; second < 4; second++) {
              expected[loads[second] < loads[first] ? second : first] += 1.0 / 16;
            }
          }
          assertThat(Law.ofFirstPick("p2c", loads)).containsExactly(expected, Law.EXACT);
        });
  }

  @ParameterizedTest
  @CsvSource({"2,4", "3,4", "3,3", "4,4"})
  void distinctDrawsAreUniformOverAllOrders(int d, int size) {
    Map<Pick, Double> picks =
        picks(d, PowerOfChoices.Draws.DISTINCT, PowerOfChoices.Ties.FIRST, new int[size]);
    int orders = IntStream.range(size - d + 1, size + 1).reduce(1, (a, b) -> a * b);

    assertThat(picks).hasSize(orders);
    picks.forEach(
        (pick, probability) -> {
          assertThat(pick.drawn()).hasSize(d).doesNotHaveDuplicates();
          assertThat(probability).isCloseTo(1.0 / orders, Law.EXACT);
        });
  }

  @Test
  void firstDrawnWinsTies() {
    picks(2, PowerOfChoices.Draws.REPLACEMENT, PowerOfChoices.Ties.FIRST, 1, 1, 1)
        .keySet()
        .forEach(pick -> assertThat(pick.taken()).isEqualTo(pick.drawn().getFirst()));
  }

  @Test
  void randomTiesAreUniformOverTheDraws() {
    // Of three distinct draws, those on the two idle backends are equal; given that both were
    // drawn, in whatever order, each is taken half the time.
    Map<Pick, Double> picks =
        picks(3, PowerOfChoices.Draws.DISTINCT, PowerOfChoices.Ties.RANDOM, 0, 5, 0, 5);
    Map<Pick, Double> tied = new TreeMap<>(picks);
    tied.keySet().removeIf(pick -> !pick.drawn().containsAll(List.of(0, 2)));

    assertThat(tied).hasSize(2 * 12); // 2 places for the third times 3! orders, and two takes each
    tied.values().forEach(p -> assertThat(p).isCloseTo(1.0 / 48, Law.EXACT));
  }

  @Test
  void randomTiesAreUniformOverRepeatedDrawsToo() {
    // Three draws with replacement of two idle backends: each draw is as good as the other, so the
    // taken one is that of a uniformly chosen draw.
    picks(3, PowerOfChoices.Draws.REPLACEMENT, PowerOfChoices.Ties.RANDOM, 0, 0)
        .forEach(
            (pick, probability) -> {
              long draws = pick.drawn().stream().filter(index -> index == pick.taken()).count();
              assertThat(probability).isCloseTo(draws / 3.0 / 8, Law.EXACT);
            });
  }

  @Test
  void fullBackendOfTwoIsNeverPickedWithDistinctDraws() {
    assertThat(Law.ofFirstPick("p2c(draws=distinct)", 100, 0)).containsExactly(0, 1);
  }

  @Test
  void fullBackendOfTwoIsPickedAQuarterOfTheTimeWithReplacement() {
    assertThat(Law.ofFirstPick("p2c", 100, 0)).containsExactly(0.25, 0.75);
  }

  @Test
  void moreDistinctDrawsThanBackendsAreAFullScan() {
    assertThat(Law.ofFirstPick("p2c(d=5,draws=distinct)", 3, 1, 2))
        .containsExactly(new double[] {0, 1, 0}, Law.EXACT);
  }

  @Test
  void oneDrawIsRandom() {
    assertThat(Law.ofFirstPick("p2c(d=1)", 9, 0)).containsExactly(0.5, 0.5);
  }
}
