package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.AlgorithmContract;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The tests of gRPC C-core's static_stride_scheduler_test.cc, and sequences from a program of a
/// few lines that follows grpc-go's formula.
final class StaticStrideTest extends AlgorithmContract {
  @Override
  protected Stream<String> specs() {
    return Stream.of("static-stride", "static-stride(start=zero)", "static-stride(clamp=true)");
  }

  private static int[] counts(StrideSchedule schedule, int size, int picks) {
    int[] counts = new int[size];
    for (int i = 0; i < picks; i++) {
      counts[schedule.next()]++;
    }
    return counts;
  }

  private static StrideSchedule schedule(StrideSchedule.Range range, double... weights) {
    StrideSchedule schedule = new StrideSchedule(range, 0);
    schedule.set(weights, weights.length);
    return schedule;
  }

  @ParameterizedTest
  @CsvSource({
    "1 2 3, bccabcbccabc",
    "5 1 1, acaabaaacaabaa",
    "3 1 2 1, acabcdaacabcda",
    "2 2 2, abcabc",
  })
  void picksAsTheFormulaSays(String text, String picks) {
    int[] weights = Stream.of(text.split(" ")).mapToInt(Integer::parseInt).toArray();

    assertThat(Bench.of("static-stride(start=zero)", weights).proxy.picks(picks.length()))
        .isEqualTo(picks);
  }

  @Test
  void picksAreWeightedExactly() {
    assertThat(counts(schedule(StrideSchedule.Range.FREE, 1, 2, 3), 3, 6)).containsExactly(1, 2, 3);
  }

  @Test
  void unknownWeightIsTheMean() {
    assertThat(counts(schedule(StrideSchedule.Range.FREE, 3, 0, 1), 3, 6)).containsExactly(3, 2, 1);
  }

  @Test
  void fewerThanTwoKnownWeightsAreRoundRobin() {
    assertThat(counts(schedule(StrideSchedule.Range.FREE, 0, 9, 0), 3, 6)).containsExactly(2, 2, 2);
    assertThat(counts(schedule(StrideSchedule.Range.FREE, 300, 300, 0), 3, 6))
        .containsExactly(2, 2, 2);
  }

  @Test
  void heaviestIsPickedInEveryRound() {
    int rounds = 0xFFFF;

    assertThat(counts(schedule(StrideSchedule.Range.FREE, 1, 2, 3), 3, rounds * 2)[2])
        .isEqualTo(rounds);
  }

  @Test
  void weightsFarFromTheMeanAreClampedIfAsked() {
    double[] heavy = new double[20];
    Arrays.fill(heavy, 1);
    heavy[0] = 81;
    int[] expected = new int[20];
    Arrays.fill(expected, 1);
    expected[0] = 50;
    assertThat(counts(schedule(StrideSchedule.Range.CLAMPED, heavy), 20, 69)).isEqualTo(expected);
    assertThat(counts(schedule(StrideSchedule.Range.CLAMPED, 100, 1e-10), 2, 201))
        .containsExactly(200, 1);
    expected[0] = 81;
    assertThat(counts(schedule(StrideSchedule.Range.FREE, heavy), 20, 100)).isEqualTo(expected);
  }

  @Test
  void counterWrapsAsAnUnsignedNumber() {
    StrideSchedule schedule = new StrideSchedule(StrideSchedule.Range.FREE, -2);
    schedule.set(new double[] {1, 1, 1}, 3);

    // 2^32 - 2 and 2^32 - 1 are 2 and 0 modulo 3; then 0, 1.
    assertThat(new int[] {schedule.next(), schedule.next(), schedule.next(), schedule.next()})
        .containsExactly(2, 0, 0, 1);
  }

  @Test
  void startIsRandom() {
    assertThat(Bench.of("static-stride", new ScriptedCoins().units(0.5), 1, 1, 1).proxy.picks(3))
        .isEqualTo("cab"); // 2^31 is 2 modulo 3
  }
}
