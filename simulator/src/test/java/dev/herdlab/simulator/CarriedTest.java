package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/// Balancers that are replaced under load.
class CarriedTest {
  private static final int OWN = Carried.OWN;

  private static Model model(int backends, String algorithm, String view) {
    return new Model(
        BackendSet.ofSize(backends),
        Collections.nCopies(backends, 1.0),
        Algorithms.builtIn().parse(algorithm, 1),
        ViewSpec.parse(view, 1));
  }

  private static ModelRun run(Model model, Trace trace, int[] told, long... switches) {
    return model.run(
        trace, 3, Refreshes.none(), Carried.of(trace, told, switches), DispatchListener.NONE);
  }

  private static int[] backends(ModelRun run) {
    return IntStream.range(0, run.size()).map(run::backend).toArray();
  }

  private static Trace every(long gapNanos, long serviceNanos, int... proxies) {
    long[] intended = new long[proxies.length];
    long[] service = new long[proxies.length];
    for (int i = 0; i < proxies.length; i++) {
      intended[i] = gapNanos * i;
      service[i] = serviceNanos;
    }
    return Trace.of(2, intended, proxies, service);
  }

  @Test
  void toldRequestsGoWhereTheyAreToldAndKeepTheirQueues() {
    Trace trace = Trace.of(1, new long[] {0, 1, 2, 3}, new int[4], new long[] {10, 10, 10, 10});

    ModelRun run =
        run(model(2, "least-conn(ties=first)", "local"), trace, new int[] {1, 1, OWN, OWN}, 2);

    // Two on backend 1 by then, which the new balancer counts.
    assertThat(backends(run)).containsExactly(1, 1, 0, 0);
    assertThat(run.latencyNanos(1)).isEqualTo(19);
    assertThat(run.latencyNanos(3)).isEqualTo(19);
  }

  @Test
  void aRequestThatNoBackendTookIsInNoQueue() {
    Trace trace = Trace.of(1, new long[] {0, 1}, new int[2], new long[] {10, 10});

    ModelRun run = run(model(1, "random", "local"), trace, new int[] {ModelRun.NO_BACKEND, OWN}, 1);

    assertThat(backends(run)).containsExactly(ModelRun.NO_BACKEND, 0);
    assertThat(run.latencyNanos(1)).isEqualTo(10);
  }

  @Test
  void eachProxyTurnsToItsOwnBalancerByItself() {
    Trace trace = every(10, 1, 0, 1, 0, 1, 0, 1);

    ModelRun run =
        run(model(9, "round-robin", "local"), trace, new int[] {7, 7, OWN, 7, OWN, OWN}, 15, 45);

    assertThat(backends(run)).containsExactly(7, 7, 0, 7, 1, 0);
  }

  @Test
  void aBalancerComesAfterTheLastToldRequestAndBeforeTheFirstOwnWhateverItsInstant() {
    Trace trace = every(10, 1, 0, 0, 0, 0);
    Model turns = model(9, "round-robin", "local");
    int[] told = {7, 7, OWN, OWN};

    assertThat(backends(run(turns, trace, told, -100, 0))).containsExactly(7, 7, 0, 1);
    assertThat(backends(run(turns, trace, told, 1000, 0))).containsExactly(7, 7, 0, 1);
    assertThat(installed(turns, trace, told, -100, 0)).containsExactly(0L, 10L);
    assertThat(installed(turns, trace, told, 13, 0)).containsExactly(0L, 13L);
    assertThat(installed(turns, trace, told, 1000, 0)).containsExactly(0L, 20L);
  }

  /// When proxy 0 got its balancers.
  private static List<Long> installed(Model model, Trace trace, int[] told, long... switches) {
    DispatchLog log = new DispatchLog(16);
    List<Long> instants = new ArrayList<>();
    model.run(trace, 3, Refreshes.none(), Carried.of(trace, told, switches), log);
    log.forEach(
        (kind, proxy, value, argument, nanos) -> {
          if (kind == DispatchLog.Kind.INSTALL && proxy == 0) {
            instants.add(nanos);
          }
        });
    return instants;
  }

  @Test
  void theLogShowsTheSwitchAndWhatIsInFlight() {
    Trace trace = every(10, 15, 0, 0, 0, 0);
    DispatchLog log = new DispatchLog(16);
    List<String> events = new ArrayList<>();

    model(9, "round-robin", "local")
        .run(
            trace,
            3,
            Refreshes.none(),
            Carried.of(trace, new int[] {7, 8, OWN, OWN}, new long[] {18, 0}),
            log);
    log.forEach(
        (kind, proxy, value, argument, nanos) -> {
          if (proxy == 0 && nanos >= 10 && nanos <= 25) {
            events.add("%s %d %d at %d".formatted(kind, value, argument, nanos));
          }
        });

    assertThat(events)
        .containsExactly(
            "PICK 8 0 at 10",
            "SUCCESS 0 0 at 15",
            "INSTALL 0 0 at 18",
            "LEASE 8 1 at 18",
            "PICK 0 0 at 20",
            "SUCCESS 0 1 at 25");
  }

  @Test
  void aSwitchToTheSameAlgorithmWithTheSameCoinsFromTheStartIsTheRunItself() {
    Trace trace =
        Trace.generate(
            5,
            5_000,
            4,
            ArrivalProcess.parse("poisson", 0.8 * 16, 1_000_000),
            ServiceLaw.parse("exponential"),
            1_000_000);
    Model p2c = model(16, "p2c", "shared");
    int[] own = new int[trace.size()];
    Arrays.fill(own, OWN);

    assertThat(backends(run(p2c, trace, own, 0, 0, 0, 0))).isEqualTo(backends(p2c.run(trace, 3)));
  }

  @Test
  void aCopyThatComesLateShowsTheTruthOfThen() {
    // Copied at 5: one on backend 0. Shown at 27: by then that one has ended.
    Trace trace = every(10, 25, 0, 0, 0, 0);
    DispatchLog log = new DispatchLog(4);
    log.append(DispatchLog.Kind.SNAPSHOT, 0, 0, 1, 5);
    log.append(DispatchLog.Kind.REFRESH, 0, 2, 1, 27);
    Model first = model(3, "least-conn(ties=first)", "shared-stale(refresh=1)");
    Model withOwn = model(3, "least-conn(ties=first)", "shared-stale(refresh=1,own=true)");
    Refreshes late = Refreshes.recorded(log);

    assertThat(backends(first.run(trace, 3, late, DispatchListener.NONE)))
        .containsExactly(0, 0, 0, 1);
    // The copy shows (1, 0, 0), and the two picks that it does not know of add (0, 1, 1).
    assertThat(backends(withOwn.run(trace, 3, late, DispatchListener.NONE)))
        .containsExactly(0, 1, 2, 0);
  }

  @Test
  void oneOfItsOwnCannotComeBeforeOneThatIsTold() {
    Trace trace = every(10, 1, 0, 1, 0);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Carried.of(trace, new int[] {OWN, 1, 1}, new long[2]))
        .withMessage("request 2: told, after one that proxy 0 picks for itself (expected: before)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Carried.of(trace, new int[] {1, 1}, new long[2]))
        .withMessage("carried: 2 requests, 2 proxies (expected: 3, 2)");
  }
}
