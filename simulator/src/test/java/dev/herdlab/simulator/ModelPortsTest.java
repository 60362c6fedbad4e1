package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.Test;

/// What the model offers an algorithm beside coins: time, timers, and refusals.
class ModelPortsTest {
  private static final Trace TRACE =
      Trace.of(1, new long[] {5, 10, 25, 31}, new int[4], new long[] {1, 1, 1, 1});

  /// An algorithm made from nothing but the set and the ports.
  private static ModelRun run(BiFunction<BackendSet, Ports, LoadBalancer> create) {
    ConfiguredAlgorithm roundRobin = Algorithms.builtIn().parse("round-robin", 1);
    Algorithm algorithm =
        new Algorithm() {
          @Override
          public Description description() {
            return roundRobin.algorithm().description();
          }

          @Override
          public LoadBalancer create(
              Parameters parameters, BackendSet backends, View view, Ports ports) {
            return create.apply(backends, ports);
          }
        };
    return new Model(
            BackendSet.ofSize(4),
            Collections.nCopies(4, 1.0),
            new ConfiguredAlgorithm("own", algorithm, roundRobin.parameters()),
            new ViewSpec.Local())
        .run(TRACE, 0);
  }

  @FunctionalInterface
  private interface Picker extends LoadBalancer {
    @Override
    PickResult pick(PickContext context);

    @Override
    default void update(BackendSet backends) {}
  }

  @Test
  void timersFireAtTheirInstantBeforeArrivalsAndMayBeSetAgain() {
    List<Long> fired = new ArrayList<>();

    ModelRun run =
        run(
            (backends, ports) -> {
              ports.timer().schedule(10, () -> tick(fired, ports));
              return (Picker) context -> new Picked(backends, fired.size());
            });

    // The clock that the algorithm reads stands at the timer's own instant. The timer of 40 is
    // still pending when the last request is done: it does not keep the run going.
    assertThat(fired).containsExactly(10L, 20L, 30L);
    assertThat(run.backend(0)).isEqualTo(0);
    assertThat(run.backend(1)).isEqualTo(1);
    assertThat(run.backend(2)).isEqualTo(2);
    assertThat(run.backend(3)).isEqualTo(3);
  }

  private static void tick(List<Long> fired, Ports ports) {
    fired.add(ports.clock().nanos());
    ports.timer().schedule(10, () -> tick(fired, ports));
  }

  @Test
  void timersOfOneInstantFireInTheOrderOfBeingSet() {
    List<Integer> fired = new ArrayList<>();

    run(
        (backends, ports) -> {
          ports.timer().schedule(9, () -> fired.add(1));
          ports.timer().schedule(8, () -> ports.timer().schedule(1, () -> fired.add(3)));
          ports.timer().schedule(9, () -> fired.add(2));
          return (Picker) context -> new Picked(backends, 0);
        });

    assertThat(fired).containsExactly(1, 2, 3);
  }

  @Test
  void aRefusedRequestHasNoBackendAndNoLatency() {
    ModelRun run =
        run(
            (backends, ports) ->
                (Picker)
                    context ->
                        ports.clock().nanos() == 10
                            ? new NoBackend("not at ten")
                            : new Picked(backends, 0));

    assertThat(run.backend(1)).isEqualTo(ModelRun.NO_BACKEND);
    assertThat(run.latencyNanos(1)).isEqualTo(-1);
    assertThat(run.quantiles(0, 1)).isEqualTo(new Quantiles(1, 1, 1, 1));
    assertThat(run.herding(0, 100).index()).isEqualTo(1);
  }
}
