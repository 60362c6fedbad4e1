package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.ServiceLaw;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class StabilityTest {
  private static final long UNIT_NANOS = 1_000_000;

  /// Round-robin on 16 backends at 12.8 requests a unit, one of them `slowdown` times as slow.
  private static LongRun run(double slowdown, double rho, int requests) {
    return run(slowdown, "poisson", rho, requests, List.of(0L, 1L, 2L));
  }

  private static LongRun run(
      double slowdown, String arrivals, double rho, int requests, List<Long> seeds) {
    List<Double> speeds = new ArrayList<>(Collections.nCopies(16, 1.0));
    speeds.set(0, 1 / slowdown);
    Model model =
        new Model(
            BackendSet.ofSize(16),
            speeds,
            Algorithms.builtIn().parse("round-robin", UNIT_NANOS),
            new ViewSpec.Local());
    Workload workload =
        new Workload(
            ArrivalProcess.parse(arrivals, 16 * rho, UNIT_NANOS),
            ServiceLaw.parse("lognormal(mu=-0.36,sigma=0.85)"),
            1,
            requests,
            requests / 10,
            UNIT_NANOS);
    return LongRun.sequential(model, workload, seeds);
  }

  @Test
  void aBackendThatIsSentMoreThanItCanDoNeverSettles() {
    Stability slow = run(3, 0.8, 6000).stability();

    assertThat(slow.settles()).isFalse();
    assertThat(slow.load()).isCloseTo(2.4, within(0.2));
    // 0.8 - 1 / (3 x 1.00125) a unit.
    assertThat(slow.growth()).isCloseTo(0.467, within(0.1));
  }

  @Test
  void chanceAloneMakesNoPoolUnstable() {
    // 375 requests a backend scatter by 7 %: the busiest of 16 is often sent more than it can do.
    Stability busy = run(1, 0.95, 6000).stability();

    assertThat(busy.load()).isGreaterThan(1);
    assertThat(busy.settles()).isTrue();
    assertThat(run(1.2, 0.8, 100_000).stability().settles()).isTrue();
    assertThat(run(1, 1.05, 100_000).stability().settles()).isFalse();
  }

  @Test
  void burstsAloneMakeNoPoolUnstable() {
    String bursty = "bursty(ratio=10,busy=20,quiet=60)";
    double most = 0;
    for (long seed = 0; seed < 20; seed++) {
      Stability one = run(1, bursty, 0.9, 12_000, List.of(seed)).stability();
      assertThat(one.settles()).as("seed %d", seed).isTrue();
      most = Math.max(most, one.load());
    }
    assertThat(most).isGreaterThan(1.2);
    assertThat(run(3, bursty, 0.8, 100_000, List.of(0L)).stability().settles()).isFalse();
  }

  @Test
  void whatWasNotLookedAtIsNotCalledUnstable() {
    assertThat(Stability.UNKNOWN.settles()).isTrue();
  }
}
