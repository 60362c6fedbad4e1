package dev.herdlab.simulator.study;

import dev.herdlab.balancer.Ports;
import dev.herdlab.simulator.HerdingIndex;
import dev.herdlab.simulator.ModelRun;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.simulator.Stability;
import dev.herdlab.workload.FifoServer;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// What became of each request of a trace: its backend and its latency, in nanoseconds.
///
/// Owner thread: any (the arrays are not changed once it is made).
final class Served implements Stability.Served {
  private final Trace trace;
  private final int[] backend;
  private final long[] latencyNanos;

  private Served(Trace trace, int[] backend, long[] latencyNanos) {
    this.trace = trace;
    this.backend = backend;
    this.latencyNanos = latencyNanos;
  }

  /// Which backend a request goes to, whatever the queues; asked once for each, in order.
  @FunctionalInterface
  interface Assigned {
    int backend(int request);
  }

  /// As the model served it.
  ///
  /// @throws IllegalStateException if a request was refused
  static Served of(ModelRun run) {
    int[] backend = new int[run.size()];
    long[] latencyNanos = new long[run.size()];
    for (int i = 0; i < backend.length; i++) {
      backend[i] = run.backend(i);
      if (backend[i] == ModelRun.NO_BACKEND) {
        throw new IllegalStateException("request " + i + ": refused (expected: a pick)");
      }
      latencyNanos[i] = run.latencyNanos(i);
    }
    return new Served(run.trace(), backend, latencyNanos);
  }

  /// As backends of these speeds serve it, each request where it is told to go. Cost: O(1) a
  /// request.
  static Served assigned(Trace trace, List<Double> speeds, Assigned assigned) {
    List<FifoServer<Integer>> servers = new ArrayList<>();
    speeds.forEach(speed -> servers.add(new FifoServer<>(speed)));
    int[] backend = new int[trace.size()];
    long[] latencyNanos = new long[trace.size()];
    for (int i = 0; i < backend.length; i++) {
      backend[i] = assigned.backend(i);
      FifoServer<Integer> server = servers.get(backend[i]);
      long nowNanos = trace.intendedNanos(i);
      while (!server.isEmpty() && server.head().finishNanos() <= nowNanos) {
        server.removeHead();
      }
      latencyNanos[i] = server.admit(i, nowNanos, trace.serviceNanos(i)).finishNanos() - nowNanos;
    }
    return new Served(trace, backend, latencyNanos);
  }

  /// Random picks in proportion to `weights`.
  static Assigned byWeight(List<Integer> weights, Ports.RandomSource coins) {
    int sum = weights.stream().mapToInt(Integer::intValue).sum();
    return request -> {
      int draw = coins.below(sum);
      int at = 0;
      while (draw >= weights.get(at)) {
        draw -= weights.get(at++);
      }
      return at;
    };
  }

  /// What arrived.
  Trace trace() {
    return trace;
  }

  @Override
  public int backend(int i) {
    return backend[i];
  }

  @Override
  public long latencyNanos(int i) {
    return latencyNanos[i];
  }

  /// Quantiles and mean of the latencies of request `from` and later, in units.
  Quantiles quantiles(int from) {
    return Quantiles.ofNanos(
        Arrays.copyOfRange(latencyNanos, from, latencyNanos.length), Studies.UNIT_NANOS);
  }

  /// The herding index of request `from` and later, over intervals of one unit.
  HerdingIndex herding(int from, int backends) {
    long[] instants = new long[backend.length];
    for (int i = 0; i < instants.length; i++) {
      instants[i] = trace.intendedNanos(i);
    }
    return HerdingIndex.of(instants, backend, from, backends, Studies.UNIT_NANOS);
  }
}
