package dev.herdlab.lab.twin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.lab.result.CellResult;
import dev.herdlab.workload.RunLog;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ErrorBudgetTest {
  private static final Measurement RUN = SyntheticRun.of("p2c", "local", 4, 3);

  private static ErrorBudget budget(Measurement run) {
    return ErrorBudget.of(Sample.of(run), run);
  }

  private static double units(long nanos) {
    return nanos / (double) SyntheticRun.UNIT;
  }

  @Test
  void eachConstantDelayIsInItsOwnPart() {
    ErrorBudget budget = budget(RUN);

    assertThat(budget.parts().keySet())
        .containsExactly(
            "send_lag",
            "client_to_proxy",
            "pick",
            "proxy_to_backend",
            "queue_wait",
            "service",
            "lateness",
            "way_back");
    Map.of(
            "send_lag", SyntheticRun.SEND_LAG,
            "client_to_proxy", SyntheticRun.TO_PROXY,
            "pick", SyntheticRun.PICK,
            "proxy_to_backend", SyntheticRun.TO_BACKEND,
            "lateness", SyntheticRun.LATENESS,
            "way_back", SyntheticRun.WAY_BACK)
        .forEach(
            (part, nanos) ->
                assertThat(budget.parts().get(part))
                    .as(part)
                    .isEqualTo(new CellResult.Part(units(nanos), units(nanos), units(nanos))));
    assertThat(budget.explained()).isEqualTo(2800);
    assertThat(budget.unexplained()).isZero();
  }

  @Test
  void serviceIsTheTracesOwn() {
    double sum = 0;
    for (int i = SyntheticRun.WARMUP; i < 3000; i++) {
      sum += RUN.trace().serviceNanos(i);
    }

    CellResult.Part service =
        budget(RUN).parts().getOrDefault("service", new CellResult.Part(0, 0, 0));

    assertThat(service.mean()).isEqualTo(sum / 2800 / SyntheticRun.UNIT);
  }

  @ParameterizedTest
  @ValueSource(ints = {2, 3, 5, 6, 7, 8})
  void aMissingStampIsUnexplainedAndInNoPart(int stamp) {
    ErrorBudget budget =
        budget(
            SyntheticRun.with(
                RUN, entry -> entry.request() == 1000 ? with(entry, stamp, -1) : entry));

    assertThat(budget.explained()).isEqualTo(2799);
    assertThat(budget.unexplained()).isEqualTo(1);
  }

  @Test
  void aStampThatGoesBackInTimeIsUnexplained() {
    ErrorBudget budget =
        budget(
            SyntheticRun.with(
                RUN,
                entry ->
                    entry.request() == 1000
                        ? with(entry, 3, entry.last().proxyReceivedNanos() - 1)
                        : entry));

    assertThat(budget.unexplained()).isEqualTo(1);
  }

  /// `entry` with its stamp of this number (2: proxy received ... 8: delivered) replaced.
  private static RunLog.Entry with(RunLog.Entry entry, int stamp, long nanos) {
    RunLog.Attempt a = entry.last();
    return new RunLog.Entry(
        entry.request(),
        entry.sentNanos(),
        entry.doneNanos(),
        entry.outcome(),
        List.of(
            new RunLog.Attempt(
                a.backend(),
                a.proxy(),
                stamp == 2 ? nanos : a.proxyReceivedNanos(),
                stamp == 3 ? nanos : a.pickedNanos(),
                a.forwardedNanos(),
                stamp == 5 ? nanos : a.backendReceivedNanos(),
                stamp == 6 ? nanos : a.startNanos(),
                stamp == 7 ? nanos : a.finishNanos(),
                stamp == 8 ? nanos : a.deliveredNanos(),
                a.returnedNanos())));
  }
}
