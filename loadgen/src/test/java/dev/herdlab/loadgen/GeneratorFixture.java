package dev.herdlab.loadgen;

import dev.herdlab.stub.StubPool;
import dev.herdlab.stub.StubSettings;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.transport.Scheduling;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.Trace;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/// A generator on a loop of its own, which stub backends may share; closes all.
final class GeneratorFixture implements AutoCloseable {
  static final long MILLI = 1_000_000;
  static final long SECOND = 1_000_000_000;

  private final PreciseLoop loop;
  private final List<StubPool> stubs;
  final Generator generator;

  private GeneratorFixture(
      PreciseLoop loop,
      List<StubPool> stubs,
      GeneratorSettings settings,
      ProxyChoice choice,
      RequestListener listener) {
    this.loop = loop;
    this.stubs = stubs;
    this.generator = new Generator(loop, settings, choice, listener);
  }

  /// In front of one server, with `connections` open.
  static GeneratorFixture before(
      InetSocketAddress address, int connections, UnaryOperator<GeneratorSettings> change)
      throws Exception {
    PreciseLoop loop = startedLoop();
    GeneratorFixture fixture =
        new GeneratorFixture(
            loop,
            List.of(),
            change.apply(GeneratorSettings.of(List.of(address), connections)),
            ProxyChoice.PLANNED,
            RequestListener.NONE);
    fixture.connect();
    return fixture;
  }

  static GeneratorFixture before(RawServer server) throws Exception {
    return before(server.address(), 1, settings -> settings);
  }

  /// In front of stub backends on the same loop, each in a proxy's place.
  static GeneratorFixture beforeStubs(
      int backends, int connections, UnaryOperator<GeneratorSettings> change) throws Exception {
    return beforeStubs(backends, connections, change, ProxyChoice.PLANNED, RequestListener.NONE);
  }

  static GeneratorFixture beforeStubs(
      int backends,
      int connections,
      UnaryOperator<GeneratorSettings> change,
      ProxyChoice choice,
      RequestListener listener)
      throws Exception {
    PreciseLoop loop = startedLoop();
    StubPool stub =
        new StubPool(
            loop,
            StubSettings.ofSpeeds(
                Collections.nCopies(backends, 1.0), ServiceLaw.parse("exponential"), MILLI, 1));
    stub.start();
    GeneratorFixture fixture =
        new GeneratorFixture(
            loop,
            List.of(stub),
            change.apply(GeneratorSettings.of(stub.addresses(), connections)),
            choice,
            listener);
    fixture.connect();
    return fixture;
  }

  private static PreciseLoop startedLoop() throws Exception {
    PreciseLoop loop =
        PreciseLoop.create(new PreciseLoop.Settings("generator", 0, Scheduling.DEFAULT));
    loop.start();
    return loop;
  }

  private void connect() throws Exception {
    try {
      generator.connect();
    } catch (Exception e) {
      close();
      throw e;
    }
  }

  static UnaryOperator<GeneratorSettings> timeouts(long requestMillis, long stopMillis) {
    return settings ->
        settings.withTimeouts(
            Duration.ofSeconds(5), Duration.ofMillis(requestMillis), Duration.ofMillis(stopMillis));
  }

  /// A trace for one proxy: requests every `gapNanos`, all of one service time.
  static Trace evenly(int requests, long gapNanos, long serviceNanos) {
    long[] intended = new long[requests];
    long[] service = new long[requests];
    for (int i = 0; i < requests; i++) {
      intended[i] = i * gapNanos;
      service[i] = serviceNanos;
    }
    return Trace.of(1, intended, new int[requests], service);
  }

  StubPool stub() {
    return stubs.getFirst();
  }

  /// Where the stubs listen, in the order of their numbers.
  List<InetSocketAddress> addresses() {
    return stub().addresses();
  }

  long nanos() {
    return loop.nanos();
  }

  CompletableFuture<RunLog> begin(Trace trace) {
    return generator.run(trace, loop.nanos() + MILLI, Progress.NONE);
  }

  RunLog run(Trace trace) throws Exception {
    return await(begin(trace));
  }

  static <T> T await(CompletableFuture<T> future) throws Exception {
    return future.get(30, TimeUnit.SECONDS);
  }

  static void await(BooleanSupplier condition) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > 20 * SECOND) {
        throw new AssertionError("condition: not met within 20 s");
      }
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() {
    generator.close();
    stubs.forEach(StubPool::close);
    loop.close();
    if (loop.failure() != null) {
      throw new AssertionError("a task of the loop failed", loop.failure());
    }
  }
}
