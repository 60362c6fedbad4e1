package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Snapshot;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.FifoServer;
import dev.herdlab.workload.ProxyLaw;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.TenantLaw;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// What no algorithm may change: nothing is lost, nothing is counted twice.
class ConservationTest {
  private static final long UNIT = 10_000_000;
  private static final int BACKENDS = 16;
  private static final int PROXIES = 4;
  private static final int REQUESTS = 3_000;

  static Stream<Arguments> algorithmsAndViews() {
    return Algorithms.builtIn().all().stream()
        .map(Algorithm::description)
        .map(Algorithm.Description::name)
        .map(ConservationTest::spec)
        .flatMap(
            name ->
                Stream.of("local", "reported", "shared-stale(refresh=1,own=true)")
                    .map(view -> Arguments.of(name, view)));
  }

  static String spec(String name) {
    return switch (name) {
      case "panic" -> "panic(of=outlier-ejection(of=least-conn))";
      case "slow-start", "outlier-ejection", "limit" -> name + "(of=least-conn)";
      default -> name;
    };
  }

  /// The counts of proxies and backends by two ways: by leases, and by what was admitted.
  private static final class Books implements DispatchListener {
    private final int[][] ofProxies = new int[PROXIES][BACKENDS];
    private final int[] unlike = new int[1];
    private long picks;
    private long completions;

    @Override
    public void picked(int proxy, Picked picked, PickContext context) {
      ofProxies[proxy][picked.index()]++;
      picks++;
    }

    @Override
    public void completed(int proxy, Picked picked, Outcome outcome, long nowNanos) {
      ofProxies[proxy][picked.index()]--;
      completions++;
    }

    @Override
    public void refreshed(int proxy, Snapshot snapshot, long notIncluded, long nowNanos) {
      for (int b = 0; b < BACKENDS; b++) {
        unlike[0] += snapshot.count(b) == sum(b) ? 0 : 1;
      }
    }

    private int sum(int backend) {
      int sum = 0;
      for (int[] proxy : ofProxies) {
        sum += proxy[backend];
      }
      return sum;
    }
  }

  @ParameterizedTest
  @MethodSource("algorithmsAndViews")
  void proxiesAndBackendsAgreeOnWhatIsInFlightAndNothingIsLeft(String algorithm, String view) {
    Trace trace =
        Trace.generate(
            21,
            REQUESTS,
            PROXIES,
            ProxyLaw.UNIFORM,
            ArrivalProcess.parse("poisson", 0.8 * BACKENDS, UNIT),
            ServiceLaw.parse("lognormal"),
            TenantLaw.parse("zipf(n=50)"),
            UNIT);
    ViewSpec viewSpec = ViewSpec.parse(view, UNIT);
    Books books = new Books();

    ModelRun run =
        new Model(
                BackendSet.ofSize(BACKENDS),
                Collections.nCopies(BACKENDS, 1.0),
                Algorithms.builtIn().parse(algorithm, UNIT),
                viewSpec)
            .run(trace, 21, Refreshes.ideal(viewSpec, 21, PROXIES), books);

    // Every copy of the true counts was the sum of the proxies', and at rest both are nothing.
    assertThat(books.unlike[0]).isZero();
    assertThat(books.picks).isEqualTo(REQUESTS);
    assertThat(books.completions).isEqualTo(REQUESTS);
    for (int b = 0; b < BACKENDS; b++) {
      assertThat(books.sum(b)).isZero();
    }
    assertThat(latencies(run)).isEqualTo(servedAlone(trace, run));
  }

  private static List<Long> latencies(ModelRun run) {
    List<Long> latencies = new ArrayList<>();
    for (int i = 0; i < run.size(); i++) {
      latencies.add(run.latencyNanos(i));
    }
    return latencies;
  }

  /// The same picks at queues that know nothing of proxies.
  private static List<Long> servedAlone(Trace trace, ModelRun run) {
    List<FifoServer<Integer>> servers = new ArrayList<>();
    for (int b = 0; b < BACKENDS; b++) {
      servers.add(new FifoServer<>(1));
    }
    List<Long> latencies = new ArrayList<>();
    for (int i = 0; i < trace.size(); i++) {
      FifoServer.Job<Integer> job =
          servers.get(run.backend(i)).admit(i, trace.intendedNanos(i), trace.serviceNanos(i));
      latencies.add(job.finishNanos() - trace.intendedNanos(i));
    }
    return latencies;
  }
}
