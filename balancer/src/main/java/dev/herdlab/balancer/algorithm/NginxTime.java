package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// The load metric "least time": nginx's estimate of when a backend would be done, a smoothed
/// latency moved up to the next step, times the requests in flight and this one.
///
/// The latency halves once for each `fail-timeout` in which the backend was not picked, so that a
/// slow one is tried again. With `inflight` it is at least the smoothed mean age of the requests
/// that have not ended, looked at once for each pick. From the cap on all count as equally bad, and
/// requests in flight alone decide.
///
/// Cost: O(1), no exponential. Whole ticks, as nginx counts whole milliseconds. Owner thread: its
/// balancer's.
/// Source: nginx src/http/modules/ngx_http_upstream_least_time_module.c and
/// src/http/ngx_http_upstream_round_robin.h (1.31.4, commit 3f6f782).
/// Deviation: latencies end with the last byte (`last_byte`); the balancer is not told of headers.
/// Deviation: `fail_timeout` counts in ns; nginx's in whole seconds, so there a latency halves
/// first after `fail_timeout` and a second.
/// Deviation: a request whose client left is not sampled; nginx samples it if a header had come.
/// Deviation: in flight is the view's; nginx's is the worker's, or with `zone` the machine's.
final class NginxTime implements LoadMetric {
  static final Parameter RESOLUTION =
      Parameter.duration(
          "resolution",
          "1ms",
          "latencies count in whole multiples of it (least-time, mean-latency)");
  static final Parameter FAIL_TIMEOUT =
      Parameter.duration(
          "fail-timeout",
          "10s",
          "how long a failure shuts a backend out (nginx's rules), and after how long without a pick a"
              + " latency halves (least-time)");
  static final List<Parameter> PARAMETERS =
      List.of(
          Parameter.toggle(
              "inflight", "false", "requests that have not ended count by their age (least-time)"),
          RESOLUTION,
          Parameter.duration(
              "step", "20ms", "latencies are moved up to the next step (least-time)"),
          Parameter.duration("cap", "5s", "the largest latency that is told apart (least-time)"),
          FAIL_TIMEOUT);

  private final View view;
  private final Ports.NanoClock clock;
  private final boolean countsInFlight;
  private final long tickNanos;
  private final long stepTicks;
  private final long capTicks;
  private final long failTimeoutNanos;
  private final PerBackend<Peer> peers;
  private long pick;

  /// nginx's names: `response_time`, `inflight_time`, `inflight_reqs`, `inflight_last`,
  /// `inflight_reqs_changed`, `checked`.
  private static final class Peer {
    private long latencyTicks;
    private long ageTicks;
    private long unended;
    private long unendedTicks;
    private long unendedAtTick;
    private final long knownSinceNanos;
    private long checkedNanos;
    private long agedAtPick = -1;
    private long raisedFrom = -1;
    private long raisedTo;

    /// One that was never picked: `checked` lies further back than fail-timeout.
    private Peer(long nowNanos, long failTimeoutNanos) {
      this.knownSinceNanos = nowNanos;
      this.checkedNanos = nowNanos - failTimeoutNanos - 1;
    }

    /// Adds the ages that the unended requests gained since the last change.
    private void age(long nowTick) {
      unendedTicks += (nowTick - unendedAtTick) * unended;
      unendedAtTick = nowTick;
    }
  }

  private NginxTime(Settings settings, BackendSet backends, View view, Ports ports) {
    this.view = view;
    this.clock = ports.clock();
    this.countsInFlight = settings.toggle("inflight");
    this.tickNanos = settings.nanos("resolution");
    this.stepTicks = ticks(settings, "step");
    this.capTicks = ticks(settings, "cap");
    this.failTimeoutNanos = settings.nanos("fail-timeout");
    this.peers = new PerBackend<>(backends, newcomer -> new Peer(clock.nanos(), failTimeoutNanos));
  }

  private long ticks(Settings settings, String name) {
    long nanos = settings.nanos(name);
    if (nanos % tickNanos != 0) {
      throw settings.refusal(name, "a multiple of resolution");
    }
    return nanos / tickNanos;
  }

  static NginxTime create(Settings settings, BackendSet backends, View view, Ports ports) {
    return new NginxTime(settings, backends, view, ports);
  }

  /// nginx's: 0.05 of the new value, rounded; the first counts whole.
  private static long averaged(long average, long value) {
    return average == 0 ? value : (long) (0.5 + (value * 0.05 + average * 0.95));
  }

  private long nowTick() {
    return Math.floorDiv(clock.nanos(), tickNanos);
  }

  @Override
  public double load(int index) {
    Peer peer = peers.get(index);
    long latency = peer.latencyTicks;
    long sinceNanos = clock.nanos() - peer.checkedNanos;
    if (sinceNanos > failTimeoutNanos) {
      latency >>= Math.min(sinceNanos / failTimeoutNanos, 63);
    }
    if (peer.unended > 0) {
      if (peer.agedAtPick != pick) {
        peer.agedAtPick = pick;
        long age = peer.unendedTicks / peer.unended + nowTick() - peer.unendedAtTick;
        peer.ageTicks = averaged(peer.ageTicks, age);
      }
      latency = Math.max(latency, peer.ageTicks);
    }
    return (double) raised(peer, latency) * (1 + view.inFlight(index));
  }

  /// Moved up to the next step; kept, since a division of longs for each backend is most of a scan.
  private long raised(Peer peer, long latency) {
    if (latency != peer.raisedFrom) {
      peer.raisedFrom = latency;
      peer.raisedTo = latency > capTicks ? capTicks : latency + stepTicks - latency % stepTicks;
    }
    return peer.raisedTo;
  }

  @Override
  public void picking() {
    pick++;
  }

  @Override
  public void picked(int index) {
    Peer peer = peers.get(index);
    if (clock.nanos() - peer.checkedNanos > failTimeoutNanos) {
      peer.checkedNanos = clock.nanos();
    }
    if (countsInFlight) {
      peer.age(nowTick());
      peer.unended++;
    }
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    Peer peer = peers.of(picked);
    if (peer == null || picked.pickedNanos() < peer.knownSinceNanos) {
      return; // it left, and may have come back since
    }
    long latency = nowTick() - Math.floorDiv(picked.pickedNanos(), tickNanos);
    if (peer.unended == 1) {
      peer.unended = 0;
      peer.unendedTicks = 0;
    } else if (peer.unended > 1) {
      peer.age(nowTick());
      peer.unendedTicks -= latency;
      peer.unended--;
    }
    if (Failures.unanswered(outcome)) {
      peer.checkedNanos = clock.nanos();
    } else if (Failures.answered(outcome)) {
      peer.latencyTicks = averaged(peer.latencyTicks, latency);
    }
  }

  @Override
  public void update(BackendSet next) {
    peers.update(next);
  }
}
