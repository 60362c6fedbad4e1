package dev.herdlab.lab.twin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.DispatchLog.Kind;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Snapshot;
import dev.herdlab.simulator.ModelRun;
import dev.herdlab.simulator.Refreshes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A system of two proxy processes, each with two proxies, a clock and a record of its own, whose
/// copies of the counts come late.
final class ManyProcessesTest {
  private static final long[] CLOCKS = {700_000_000_000L, -3_000_000_000L};
  private static final Conditions CONDITIONS =
      new Conditions(
          TwoPhases.CARRIED,
          0,
          Conditions.Clocks.SEVERAL,
          Conditions.Board.NETWORK,
          Conditions.End.LOADED);

  /// Gives each proxy's events to the log of its process.
  private record Processes(List<DispatchLog> logs) implements DispatchListener {
    private DispatchLog of(int proxy) {
      return logs.get(proxy / 2);
    }

    @Override
    public void picked(int proxy, Picked picked, PickContext context) {
      of(proxy).picked(proxy, picked, context);
    }

    @Override
    public void completed(int proxy, Picked picked, Outcome outcome, long nowNanos) {
      of(proxy).completed(proxy, picked, outcome, nowNanos);
    }

    @Override
    public void refreshed(int proxy, Snapshot snapshot, long notIncluded, long nowNanos) {
      of(proxy).refreshed(proxy, snapshot, notIncluded, nowNanos);
    }

    @Override
    public void installed(int proxy, long nowNanos) {
      of(proxy).installed(proxy, nowNanos);
    }

    @Override
    public void kept(int proxy, int index, long sequence, long nowNanos) {
      of(proxy).kept(proxy, index, sequence, nowNanos);
    }
  }

  /// A copy every two units, which each proxy gets between a tenth and a whole unit later, without
  /// its last pick or two.
  private static Refreshes late(TwoPhases phases) {
    DispatchLog log = new DispatchLog(16);
    for (int j = 0; j < 160; j++) {
      long truth = phases.epochNanos + 2L * j * SyntheticRun.UNIT;
      log.append(Kind.SNAPSHOT, 0, 0, j, truth);
      for (int p = 0; p < TwoPhases.PROXIES; p++) {
        long age = SyntheticRun.UNIT * (1 + (3 * j + 5 * p) % 10) / 10;
        log.append(Kind.REFRESH, p, 1 + j % 2, j, truth + age);
      }
    }
    return Refreshes.recorded(log);
  }

  private static Measurement measured(TwoPhases phases) {
    List<DispatchLog> logs = List.of(new DispatchLog(16), new DispatchLog(16));
    ModelRun run = phases.play(late(phases), new Processes(logs));
    List<DispatchLog> told =
        List.of(logs.get(0).shifted(CLOCKS[0]), logs.get(1).shifted(CLOCKS[1]));
    DispatchLog merged =
        DispatchLog.merge(
            List.of(told.get(0).shifted(-CLOCKS[0]), told.get(1).shifted(-CLOCKS[1])));
    return phases.measured(run, merged, CONDITIONS);
  }

  private static PickAudit audit(Measurement run) {
    return PickAudit.of(run, Switches.of(run));
  }

  private static TwoPhases phases(String own) {
    return new TwoPhases("least-conn(ties=first)", "shared-stale(refresh=2,own=" + own + ")", 3);
  }

  /// The record with 0 in place of the `nth` count of each of `processes`: all have the same
  // counts.
  private static Measurement tampered(Measurement run, int nth, List<Integer> processes) {
    DispatchLog copy = new DispatchLog(16);
    int[] counts = new int[2];
    run.dispatches()
        .forEach(
            (kind, proxy, value, argument, nanos) -> {
              boolean wrong =
                  kind == Kind.COUNT && counts[proxy / 2]++ == nth && processes.contains(proxy / 2);
              copy.append(kind, proxy, value, wrong ? 0 : argument, nanos);
            });
    return SyntheticRun.with(run, copy);
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void everyPickIsMadeAgainThoughCopiesComeLate(String own) {
    PickAudit audit = audit(measured(phases(own)));

    assertThat(audit.different()).isZero();
    assertThat(audit.first()).isEmpty();
    assertThat(audit.picks()).isGreaterThan(TwoPhases.REQUESTS);
    assertThat(audit.openLeases()).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"false", "true"})
  void theTwinCopiesItsOwnTruthWhenTheCountsWereTrueAndShowsItWhenTheCopyCame(String own) {
    Measurement run = measured(phases(own));
    Switches switches = Switches.of(run);
    DispatchLog model = new DispatchLog(16);
    TwinModel.of(run, switches).latencies(run.plan().seed(), model);

    assertThat(
            PickSequences.different(
                PickSequences.measured(run, switches), PickSequences.modelled(run, model), true))
        .isZero();
  }

  @Test
  void aCountThatTwoProcessesHaveOtherwiseIsADifference() {
    Measurement run = measured(phases("false"));

    PickAudit audit = audit(tampered(run, 300, List.of(1)));

    assertThat(audit.different()).isEqualTo(1);
    assertThat(audit.first().orElseThrow())
        .matches("proxy \\d at \\d+ ns: copy \\d+ has other counts than elsewhere on record");
  }

  @Test
  void aCountThatNoProxySawIsFoundByThePicks() {
    Measurement run = measured(phases("false"));
    int found = 0;
    for (int nth = 300; nth < 340; nth++) {
      found += audit(tampered(run, nth, List.of(0, 1))).different() > 0 ? 1 : 0;
    }

    // Unseen where another backend is idle too, and comes before it.
    assertThat(found).isBetween(4, 36);
  }

  @Test
  void aRefreshWithoutItsCopyOnRecordIsADifference() {
    Measurement run = measured(phases("false"));
    DispatchLog copy = new DispatchLog(16);
    run.dispatches()
        .forEach(
            (kind, proxy, value, argument, nanos) -> {
              if (kind != Kind.SNAPSHOT || argument != 100) {
                copy.append(kind, proxy, value, argument, nanos);
              }
            });

    assertThat(audit(SyntheticRun.with(run, copy)).first().orElseThrow())
        .endsWith("a refresh with copy 100, which is not on record");
  }
}
