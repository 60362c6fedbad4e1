package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import org.jspecify.annotations.Nullable;

/// The load metric "latency EWMA": an average of latencies that forgets exponentially with time,
/// and nothing else; requests in flight do not count.
///
/// The first latency counts whole. A newcomer begins with the mean of what is known of the others.
/// A backend without any latency costs nothing. Errors count by the time they took: fast ones
/// attract requests (kubernetes/ingress-nginx#5540).
///
/// Cost: one exponential a load, one at each completion; O(n) when the set changes. Units: ns.
/// Owner thread: its balancer's.
/// Source: kubernetes/ingress-nginx rootfs/etc/nginx/lua/balancer/ewma.lua (commit dbb11b9).
final class LatencyEwma implements LoadMetric {
  private final Ports.NanoClock clock;
  private final long decayNanos;
  private final PerBackend<Average> averages;

  private static final class Average {
    private boolean known;
    private double nanos;
    private long atNanos;

    private void set(double value, long nowNanos) {
      known = true;
      nanos = value;
      atNanos = nowNanos;
    }
  }

  private LatencyEwma(BackendSet backends, Ports.NanoClock clock, long decayNanos) {
    this.clock = clock;
    this.decayNanos = decayNanos;
    this.averages = new PerBackend<>(backends, newcomer -> new Average());
  }

  static LatencyEwma create(Settings settings, BackendSet backends, Ports ports) {
    return new LatencyEwma(backends, ports.clock(), settings.nanos("decay"));
  }

  @Override
  public double load(int index) {
    Average average = averages.get(index);
    return average.nanos * kept(average);
  }

  private double kept(Average average) {
    return StrictMath.exp((double) (average.atNanos - clock.nanos()) / decayNanos);
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    @Nullable Average average = averages.of(picked);
    if (average == null) {
      return;
    }
    long nowNanos = clock.nanos();
    double nanos = (double) Math.max(0, nowNanos - picked.pickedNanos());
    double kept = average.known ? kept(average) : 0;
    average.set(average.nanos * kept + nanos * (1 - kept), nowNanos);
  }

  @Override
  public void update(BackendSet next) {
    BackendSet before = averages.backends();
    averages.update(next);
    double sum = 0;
    int known = 0;
    for (int i = 0; i < next.size(); i++) {
      if (averages.get(i).known) {
        sum += averages.get(i).nanos;
        known++;
      }
    }
    for (int i = 0; i < next.size() && known > 0; i++) {
      if (before.indexOf(next.get(i).id()) < 0) {
        averages.get(i).set(sum / known, clock.nanos());
      }
    }
  }
}
