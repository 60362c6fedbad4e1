package dev.herdlab.lab.twin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.lab.result.CellResult;
import dev.herdlab.workload.RunLog;
import java.util.List;
import org.junit.jupiter.api.Test;

/// A run whose proxies and backends have clocks of their own: what is compared are durations.
final class ManyClocksTest {
  private static final Conditions SEVERAL =
      new Conditions(
          0, 0, Conditions.Clocks.SEVERAL, Conditions.Board.MEMORY, Conditions.End.QUIET);

  /// How far a proxy's and a backend's clock are ahead: more than any way takes.
  private static final long PROXY = 900_000_000;

  private static final long BACKEND = 400_000_000;

  private static final Measurement RUN =
      SyntheticRun.with(SyntheticRun.of("p2c", "local", 4, 3), SEVERAL);

  /// The same run with the stamps of the other clocks.
  private static Measurement skewed() {
    Measurement stamps =
        SyntheticRun.with(
            RUN,
            entry -> {
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
                          a.proxyReceivedNanos() + PROXY,
                          a.pickedNanos() + PROXY,
                          a.forwardedNanos() + PROXY,
                          a.backendReceivedNanos() + BACKEND,
                          a.startNanos() + BACKEND,
                          a.finishNanos() + BACKEND,
                          a.deliveredNanos() + BACKEND,
                          a.returnedNanos() + PROXY)));
            });
    return SyntheticRun.with(stamps, RUN.dispatches().shifted(PROXY));
  }

  private static double units(long nanos) {
    return nanos / (double) SyntheticRun.UNIT;
  }

  @Test
  void allWaysTogetherAreOnePartAndThePartsAddUp() {
    ErrorBudget budget = ErrorBudget.of(Sample.of(RUN), RUN);
    long ways = SyntheticRun.TO_PROXY + SyntheticRun.TO_BACKEND + SyntheticRun.WAY_BACK;

    assertThat(budget.parts().keySet())
        .containsExactly("send_lag", "pick", "queue_wait", "service", "lateness", "network");
    assertThat(budget.parts().get("network"))
        .isEqualTo(new CellResult.Part(units(ways), units(ways), units(ways)));
    double sum = budget.parts().values().stream().mapToDouble(CellResult.Part::mean).sum();
    assertThat(sum).isCloseTo(Sample.of(RUN).quantiles().mean(), within(1e-9));
    assertThat(budget.unexplained()).isZero();
  }

  @Test
  void noPartAndNoAuditComparesTwoClocks() {
    Measurement skewed = skewed();

    assertThat(ErrorBudget.of(Sample.of(skewed), skewed))
        .isEqualTo(ErrorBudget.of(Sample.of(RUN), RUN));
    assertThat(StubAudit.of(skewed)).isEqualTo(StubAudit.of(RUN));
    assertThat(RouteAudit.of(skewed, Switches.of(skewed)))
        .isEqualTo(RouteAudit.of(RUN, Switches.of(RUN)));
    assertThat(Timeliness.of(skewed)).isEqualTo(Timeliness.of(RUN));
    assertThat(StubAudit.of(skewed).checked()).isEqualTo(3000);
    assertThat(RouteAudit.of(skewed, Switches.of(skewed)).compared()).isEqualTo(3000);
  }

  @Test
  void aDurationThatIsBelowZeroIsUnexplained() {
    Measurement run =
        SyntheticRun.with(
            RUN,
            entry ->
                entry.request() == 1000
                    ? new RunLog.Entry(
                        1000, entry.sentNanos(), entry.sentNanos() + 1, RunLog.OK, entry.attempts())
                    : entry);

    assertThat(ErrorBudget.of(Sample.of(run), run).unexplained()).isEqualTo(1);
  }
}
