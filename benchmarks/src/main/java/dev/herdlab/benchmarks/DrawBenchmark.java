package dev.herdlab.benchmarks;

import dev.herdlab.workload.CPythonRandom;
import dev.herdlab.workload.RandomStream;
import dev.herdlab.workload.ServiceLaw;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// The random draws of one request: what bounds the speed of the studies from below.
///
/// Owner thread: JMH's, one.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class DrawBenchmark {
  private static final int PROXIES = 16;
  private static final double RATE = 12.8;
  private static final long UNIT_NANOS = 10_000_000;

  private final CPythonRandom python = new CPythonRandom(0);
  private final RandomStream stream = RandomStream.of(0, "service");
  private final ServiceLaw law = ServiceLaw.parse("lognormal(mu=-0.36,sigma=0.85)");

  /// Gap, proxy and service time from CPython's stream, as in the published herd.
  @Benchmark
  public double published() {
    return python.expovariate(RATE) + python.below(PROXIES) + python.lognormvariate(-0.36, 0.85);
  }

  /// The same from this project's own streams, as in the model and on sockets.
  @Benchmark
  public double model() {
    return stream.exponential() + stream.below(PROXIES) + law.sampleNanos(stream, UNIT_NANOS);
  }
}
