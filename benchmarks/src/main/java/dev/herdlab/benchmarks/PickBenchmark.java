package dev.herdlab.benchmarks;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.RequestKey;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.ViewSpec;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// One pick and one completion through the [Dispatcher], as a proxy does for each request.
///
/// Twice as many requests as backends are in flight all the time, and an arbitrary one of them
/// completes, so counts differ as they do under load. Requests have one of a thousand keys. Nobody
/// answers probes and tells when a backend is idle. Not in it: the clock, which a proxy reads
/// once at the pick and once at the completion (a field stands for it here), sockets, and a
/// listener.
///
/// Owner thread: JMH's, one.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class PickBenchmark {
  private static final long UNIT_NANOS = 10_000_000;
  // Knuth's multiplier of 64 bits; any full-period generator would do.
  private static final long MULTIPLIER = 6_364_136_223_846_793_005L;

  /// Every algorithm of the registry; those whose parameters change the work, more than once.
  @Param({
    "random",
    "slow-start(of=edf)",
    "outlier-ejection(of=p2c)",
    "panic(of=outlier-ejection(of=p2c))",
    "limit(of=p2c,n=1000)",
    "round-robin",
    "weighted-round-robin",
    "smooth-weighted-round-robin",
    "edf",
    "static-stride",
    "client-weighted",
    "least-conn",
    "least-conn(ties=first)",
    "least-time",
    "p2c",
    "p2c(d=3,draws=distinct)",
    "peak-ewma",
    "ring-hash",
    "rendezvous",
    "maglev",
    "bounded-load",
    "sticky",
    "subset",
    "aperture",
    "shuffle-sharding",
    "join-idle-queue",
    "prequal",
    "c3",
    "lsq",
    "basic-li",
    "tidal-water-filling"
  })
  String spec = "random";

  @Param({"16", "128", "1024"})
  int backends = 16;

  private Dispatcher dispatcher = dispatcher(BackendSet.ofSize(1), () -> 0);
  private Picked[] inFlight = {};
  private final PickContext[] contexts = new PickContext[1024];
  private long nanos;
  private long state = 1;

  /// Installs the algorithm and fills the backends.
  @Setup
  public void fill() {
    dispatcher = dispatcher(BackendSet.ofSize(backends), () -> ++nanos);
    dispatcher.install(
        Algorithms.builtIn().parse(spec, UNIT_NANOS),
        new ViewSpec.Local(),
        SeededRandom.of(0, "coins", 0),
        (delayNanos, task) -> {},
        index -> {});
    for (int i = 0; i < contexts.length; i++) {
      contexts[i] = new PickContext(RequestKey.of("t" + i));
    }
    inFlight = new Picked[2 * backends];
    for (int i = 0; i < inFlight.length; i++) {
      inFlight[i] = pick();
    }
  }

  /// One request leaves, the next one comes.
  @Benchmark
  public Picked pickAndComplete() {
    state = state * MULTIPLIER + 1;
    int at = (int) (((state >>> 32) * inFlight.length) >>> 32);
    inFlight[at].complete(Outcome.SUCCEEDED);
    Picked picked = pick();
    inFlight[at] = picked;
    return picked;
  }

  private static Dispatcher dispatcher(BackendSet set, Ports.NanoClock clock) {
    return new Dispatcher(0, set, new Counts(set), clock, DispatchListener.NONE);
  }

  private Picked pick() {
    PickContext context = contexts[(int) (state >>> 54)];
    if (dispatcher.pick(context) instanceof Picked picked) {
      return picked;
    }
    throw new IllegalStateException(spec + ": no backend (expected: one)");
  }
}
