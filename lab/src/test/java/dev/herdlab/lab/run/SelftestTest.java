package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.result.SelftestResult;
import dev.herdlab.stub.Deadlines;
import dev.herdlab.transport.Scheduling;
import java.util.Collections;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every bug that the self-test seeds is caught, at a smaller size than the command's.
@Timeout(60)
final class SelftestTest {
  private static final CellPlan SMALL =
      new CellPlan(
          5_000_000,
          4,
          Collections.nCopies(4, 1.0),
          Collections.nCopies(4, 1),
          "lognormal(mu=-0.36,sigma=0.85)",
          "poisson",
          2,
          0.8,
          500,
          50,
          0,
          "p2c",
          "local");

  @ParameterizedTest
  @ValueSource(
      strings = {"leaked count", "p2c in name only", "chained sleeps", "stalled generator"})
  void bugIsCaught(String name) throws Exception {
    try (ExecutorService models = Executors.newFixedThreadPool(2)) {
      Selftest selftest = new Selftest(SMALL, models, new Heard(), Scheduling.DEFAULT);
      Selftest.Fault fault =
          selftest.faults().stream()
              .filter(one -> one.name().equals(name))
              .findFirst()
              .orElseThrow();

      SelftestResult.Check check = selftest.check(fault);

      assertThat(check.passed()).as(check.evidence()).isTrue();
      assertThat(check.evidence()).contains(fault.reason());
    }
  }

  @Test
  void aFaultThatIsNotThereIsNotFound() throws Exception {
    try (ExecutorService models = Executors.newFixedThreadPool(2)) {
      Selftest selftest = new Selftest(SMALL, models, new Heard(), Scheduling.DEFAULT);
      for (Selftest.Fault fault : selftest.faults().subList(0, 3)) {
        Selftest.Fault none =
            new Selftest.Fault(
                fault.name(),
                "nothing",
                fault.reason(),
                Deadlines.IDEAL,
                OneProcess.Sabotage.NONE,
                Cell.of(SMALL, Algorithms.builtIn()));

        assertThat(selftest.check(none).passed()).isFalse();
      }
    }
  }
}
