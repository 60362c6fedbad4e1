package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.AttemptCounts;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.ServiceLaw;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class LongRunTest {
  private static final long UNIT = 1_000_000_000;

  private static SortedMap<String, Long> failed(long count) {
    SortedMap<String, Long> failed = new TreeMap<>();
    if (count > 0) {
      failed.put("no-backend", count);
    }
    return failed;
  }

  @Test
  void halfWidthIsStudentsOfTheSampleDeviation() {
    LongRun run =
        LongRun.of(
            10,
            List.of(
                new LongRun.One(
                    new Quantiles(1, 2, 3, 4),
                    List.of(0.5, 0.5),
                    1,
                    new Stability(0.9, 0.03, 1),
                    failed(1),
                    AttemptCounts.NONE),
                new LongRun.One(
                    new Quantiles(2, 2, 3, 4),
                    List.of(1.0, 0.0),
                    0,
                    new Stability(1.0, 0.04, 2),
                    failed(0),
                    AttemptCounts.NONE),
                new LongRun.One(
                    new Quantiles(6, 2, 3, 7),
                    List.of(0.75, 0.25),
                    2,
                    new Stability(1.1, 0.12, 6),
                    failed(2),
                    AttemptCounts.NONE)));

    // Of 1, 2, 6: mean 3, sd sqrt(14 / 2); t(0.975, 2) = 4.302653.
    assertThat(run.mean()).isEqualTo(new Quantiles(3, 2, 3, 5));
    assertThat(run.halfWidth().p50()).isCloseTo(4.302653 * Math.sqrt(7.0 / 3), within(1e-5));
    assertThat(run.halfWidth().p95()).isZero();
    assertThat(run.shares()).containsExactly(0.75, 0.25);
    assertThat(run.refused()).isEqualTo(3);
    assertThat(run.failed()).isEqualTo(Map.of("no-backend", 3L));
    // The error of a mean: sqrt(0.03^2 + 0.04^2 + 0.12^2) / 3.
    assertThat(run.stability().load()).isCloseTo(1, within(1e-12));
    assertThat(run.stability().error()).isCloseTo(0.13 / 3, within(1e-12));
    assertThat(run.stability().growth()).isCloseTo(3, within(1e-12));
  }

  @Test
  void oneSeedHasNoHalfWidth() {
    LongRun.One one =
        new LongRun.One(
            new Quantiles(1, 2, 3, 4),
            List.of(1.0),
            0,
            Stability.UNKNOWN,
            failed(0),
            AttemptCounts.NONE);

    assertThat(LongRun.of(10, List.of(one)).halfWidth().p50()).isNaN();
  }

  @Test
  void givesTheSameRunsWhateverTheThreads() {
    Model model =
        new Model(
            BackendSet.ofSize(4),
            Collections.nCopies(4, 1.0),
            Algorithms.builtIn().parse("p2c", UNIT),
            new ViewSpec.Local());
    Workload workload =
        new Workload(
            ArrivalProcess.parse("poisson", 3.2, UNIT),
            ServiceLaw.parse("exponential"),
            2,
            5_000,
            500,
            UNIT);
    List<Long> seeds = List.of(0L, 1L, 2L, 3L, 4L, 5L);

    LongRun run = LongRun.of(model, workload, seeds, Progress.NONE);

    assertThat(run.runs())
        .isEqualTo(
            seeds.stream()
                .map(seed -> model.run(workload.trace(seed), seed).quantiles(500, UNIT))
                .toList());
    assertThat(run.runs()).doesNotHaveDuplicates();
    assertThat(run.seeds()).isEqualTo(6);
    assertThat(run.refused()).isZero();
    assertThat(run.shares()).hasSize(4).allMatch(share -> share > 0.2 && share < 0.3);
  }

  @Test
  void theWarmUpMustLeaveRequests() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Workload(
                    ArrivalProcess.parse("poisson", 1, UNIT),
                    ServiceLaw.parse("exponential"),
                    1,
                    10,
                    10,
                    UNIT))
        .withMessageStartingWith("warmup: 10 (expected: ");
  }
}
