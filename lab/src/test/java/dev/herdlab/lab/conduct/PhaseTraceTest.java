package dev.herdlab.lab.conduct;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.workload.Trace;
import java.util.Collections;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class PhaseTraceTest {
  private static final long UNIT = 10_000_000;
  private static final long SEED = 11;

  private static Cell cell() {
    return Cell.of(
        new CellPlan(
            UNIT,
            16,
            Collections.nCopies(16, 1.0),
            Collections.nCopies(16, 1),
            "exponential",
            "poisson",
            "none",
            4,
            0.8,
            1000,
            100,
            SEED,
            "random",
            "local"),
        Algorithms.builtIn());
  }

  /// 12.8 requests a unit over 1000 units: a Poisson count of mean 12 800 is within 6 standard
  /// deviations (679) but once in 10^9 seeds.
  @Test
  void holdsWhatComesWithinTheLengthAtTheCellsRate() {
    Trace trace = PhaseTrace.draw(cell(), 1000 * UNIT, SEED);

    assertThat(trace.size()).isBetween(12_800 - 679, 12_800 + 679);
    assertThat(trace.lastIntendedNanos()).isLessThan(1000 * UNIT);
    assertThat(trace.proxies()).isEqualTo(4);
  }

  @Test
  void aLongerPhaseBeginsWithTheRequestsOfAShorter() {
    Trace shorter = PhaseTrace.draw(cell(), 100 * UNIT, SEED);
    Trace longer = PhaseTrace.draw(cell(), 1000 * UNIT, SEED);

    for (int i = 0; i < shorter.size(); i++) {
      assertThat(longer.intendedNanos(i)).isEqualTo(shorter.intendedNanos(i));
      assertThat(longer.serviceNanos(i)).isEqualTo(shorter.serviceNanos(i));
      assertThat(longer.proxy(i)).isEqualTo(shorter.proxy(i));
    }
    assertThat(longer.intendedNanos(shorter.size())).isGreaterThanOrEqualTo(100 * UNIT);
  }

  @Test
  void shorterThanTheFirstGapItIsEmpty() {
    assertThat(PhaseTrace.draw(cell(), 1, SEED).size()).isZero();
  }

  @Test
  void whatNoTraceCanHoldIsRefused() {
    assertThatThrownBy(() -> PhaseTrace.draw(cell(), 2_000_000 * UNIT, SEED))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("phase: ")
        .hasMessageContaining("expected: at most 10000000");
  }

  @Test
  void generatorsTogetherSendEachRequestOnce() {
    Trace whole = PhaseTrace.draw(cell(), 200 * UNIT, SEED);
    List<Trace> parts = PhaseTrace.split(whole, 3, SEED);

    TreeSet<Long> instants = new TreeSet<>();
    long service = 0;
    for (Trace part : parts) {
      // A third of about 2560, within 6 standard deviations (143).
      assertThat(part.size()).isBetween(whole.size() / 3 - 143, whole.size() / 3 + 143);
      for (int i = 0; i < part.size(); i++) {
        assertThat(instants.add(part.intendedNanos(i))).isTrue();
        service += part.serviceNanos(i);
      }
    }
    assertThat(instants).hasSize(whole.size());
    long expected = 0;
    for (int i = 0; i < whole.size(); i++) {
      expected += whole.serviceNanos(i);
    }
    assertThat(service).isEqualTo(expected);
  }
}
