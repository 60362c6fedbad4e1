package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// The load metric "peak EWMA": an average of latencies that jumps to each new peak and falls back
/// exponentially, times the requests in flight and this one. Decays by time alone, so a slow
/// backend is tried again.
///
/// A backend without an answer so far costs nothing while idle, then more than any other until its
/// first answer (Finagle); or as if it had answered in a given time (Tower, Linkerd).
///
/// Cost: one exponential a load, one at each completion. Units: ns. Owner thread: its balancer's.
/// Source: Finagle loadbalancer/PeakEwma.scala and util/Ema.scala (commit 4feb34c): every end
/// counts, errors by the time they took; linkerd2-proxy linkerd/load-biaser and linkerd/ewma
/// (commit 29637b6): an error counts as its penalty, or as what is known if that is more.
/// Deviation: in flight is the view's; Finagle's is always the proxy's own (`view=local`).
/// Deviation: Linkerd penalises answers of 429 and of 500 and above, and times other failures; here
/// every failure that is the backend's is penalised.
final class PeakEwma implements LoadMetric {
  static final List<Parameter> PARAMETERS =
      List.of(
          Parameter.duration(
              "decay",
              "10s",
              "mean lifetime of a latency in the average (peak-ewma, latency-ewma)"),
          Parameter.choice(
              "newcomer",
              List.of("free", "rtt"),
              "free",
              "a backend without an answer so far (peak-ewma): costs nothing while idle, then more"
                  + " than any other; or as if it had answered in `rtt`"),
          Parameter.duration("rtt", "30ms", "the first estimate with newcomer=rtt (peak-ewma)"),
          Parameter.choice(
              "failures",
              List.of("timed", "penalised"),
              "timed",
              "a failure counts (peak-ewma) by the time it took; or, if it is the backend's, as"
                  + " `penalty` or the present average, whichever is more"),
          Parameter.duration("penalty", "5s", "with failures=penalised (peak-ewma)"));

  /// Finagle's: far above any latency, and still exact when requests in flight are added.
  private static final double UNKNOWN = Long.MAX_VALUE >> 16;

  /// Whether a newcomer begins with an estimate.
  private static final long NO_RTT = 0;

  private static final long NOT_PENALISED = 0;

  private final View view;
  private final Ports.NanoClock clock;
  private final long decayNanos;
  private final long penaltyNanos;
  private final PerBackend<Average> averages;

  private static final class Average {
    private double nanos;
    private long atNanos;

    private Average(long nanos, long nowNanos) {
      this.nanos = (double) nanos;
      this.atNanos = nowNanos;
    }

    private void observe(double observedNanos, long nowNanos, long decayNanos) {
      if (observedNanos > nanos) {
        nanos = observedNanos;
      } else if (nowNanos > atNanos) {
        double kept = StrictMath.exp((double) (atNanos - nowNanos) / decayNanos);
        nanos = observedNanos * (1 - kept) + nanos * kept;
      }
      atNanos = nowNanos;
    }
  }

  private PeakEwma(
      BackendSet backends,
      View view,
      Ports.NanoClock clock,
      long decayNanos,
      long rttNanos,
      long penaltyNanos) {
    this.view = view;
    this.clock = clock;
    this.decayNanos = decayNanos;
    this.penaltyNanos = penaltyNanos;
    this.averages = new PerBackend<>(backends, newcomer -> new Average(rttNanos, clock.nanos()));
  }

  static PeakEwma create(Settings settings, BackendSet backends, View view, Ports ports) {
    boolean free = settings.choice("newcomer").equals("free");
    if (free) {
      settings.refuseGiven("rtt", "newcomer=rtt with it");
    }
    boolean timed = settings.choice("failures").equals("timed");
    if (timed) {
      settings.refuseGiven("penalty", "failures=penalised with it");
    }
    return new PeakEwma(
        backends,
        view,
        ports.clock(),
        settings.nanos("decay"),
        free ? NO_RTT : settings.nanos("rtt"),
        timed ? NOT_PENALISED : settings.nanos("penalty"));
  }

  @Override
  public double load(int index) {
    Average average = averages.get(index);
    average.observe(0, clock.nanos(), decayNanos);
    int inFlight = view.inFlight(index);
    return average.nanos == 0 && inFlight != 0
        ? UNKNOWN + inFlight
        : average.nanos * (inFlight + 1);
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    Average average = averages.of(picked);
    if (average == null) {
      return;
    }
    long nowNanos = clock.nanos();
    double nanos = (double) Math.max(0, nowNanos - picked.pickedNanos());
    if (penaltyNanos != NOT_PENALISED && Failures.ofBackend(outcome)) {
      average.observe(0, nowNanos, decayNanos);
      nanos = Math.max((double) penaltyNanos, average.nanos);
    }
    average.observe(nanos, nowNanos, decayNanos);
  }

  @Override
  public void update(BackendSet next) {
    averages.update(next);
  }
}
