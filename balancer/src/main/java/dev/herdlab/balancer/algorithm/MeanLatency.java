package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// The load metric "mean latency": the plain mean of the last so many latencies, times the requests
/// in flight and this one. Time does not wear it: a backend that was slow stays so until it is
/// picked.
///
/// Latencies count in whole ticks, rounded down, so with answers faster than a tick all backends
/// cost nothing. So does one without an answer. Only answers count, errors included.
///
/// Cost: O(1); memory: the samples of each backend. Owner thread: its balancer's.
/// Source: Traefik pkg/server/service/loadbalancer/leasttime/leasttime.go (commit fd5a576).
/// Deviation: latencies end with the last byte; Traefik's with the first.
/// Deviation: in flight is the view's; Traefik's is always the proxy's own (`view=local`).
final class MeanLatency implements LoadMetric {
  static final List<Parameter> PARAMETERS =
      List.of(
          Parameter.whole("samples", 1, 10_000, "100", "latencies in the mean (mean-latency)"),
          NginxTime.RESOLUTION);

  private final View view;
  private final Ports.NanoClock clock;
  private final long tickNanos;
  private final PerBackend<Ring> rings;

  private static final class Ring {
    private final long[] ticks;
    private int next;
    private int count;
    private long sum;

    private Ring(int size) {
      this.ticks = new long[size];
    }

    private void add(long value) {
      sum += value - ticks[next];
      ticks[next] = value;
      next = next + 1 == ticks.length ? 0 : next + 1;
      count = Math.min(count + 1, ticks.length);
    }
  }

  private MeanLatency(
      BackendSet backends, View view, Ports.NanoClock clock, int samples, long tickNanos) {
    this.view = view;
    this.clock = clock;
    this.tickNanos = tickNanos;
    this.rings = new PerBackend<>(backends, newcomer -> new Ring(samples));
  }

  static MeanLatency create(Settings settings, BackendSet backends, View view, Ports ports) {
    return new MeanLatency(
        backends, view, ports.clock(), settings.whole("samples"), settings.nanos("resolution"));
  }

  @Override
  public double load(int index) {
    Ring ring = rings.get(index);
    return ring.count == 0 ? 0 : (double) ring.sum / ring.count * (1.0 + view.inFlight(index));
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    Ring ring = rings.of(picked);
    if (ring != null && Failures.answered(outcome)) {
      ring.add((clock.nanos() - picked.pickedNanos()) / tickNanos);
    }
  }

  @Override
  public void update(BackendSet next) {
    rings.update(next);
  }
}
