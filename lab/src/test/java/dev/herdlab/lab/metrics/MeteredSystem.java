package dev.herdlab.lab.metrics;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.loadgen.CompletedRun;
import dev.herdlab.loadgen.Generator;
import dev.herdlab.loadgen.GeneratorSettings;
import dev.herdlab.loadgen.Progress;
import dev.herdlab.loadgen.ProxyChoice;
import dev.herdlab.proxy.BackendAddress;
import dev.herdlab.proxy.CountBoard;
import dev.herdlab.proxy.Installation;
import dev.herdlab.proxy.ProxyPool;
import dev.herdlab.proxy.ProxySettings;
import dev.herdlab.stub.Engine;
import dev.herdlab.stub.StubPool;
import dev.herdlab.stub.StubSettings;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.transport.Scheduling;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.Trace;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Generator, two proxies and backends on one loop, each with the metrics that its process would
/// have, on a server of their own.
final class MeteredSystem implements AutoCloseable {
  static final long MILLI = 1_000_000;
  private static final int PROXIES = 2;

  final PreciseLoop loop;
  final StubPool backends;
  final ProxyPool proxies;
  final Generator generator;
  final ProxyMetrics proxyMetrics;
  final GeneratorMetrics generatorMetrics;
  final MetricsServer proxyServer;
  final MetricsServer backendServer;
  final MetricsServer generatorServer;
  private final BackendMetrics backendMetrics;

  MeteredSystem(int backendCount) throws Exception {
    loop = PreciseLoop.create(new PreciseLoop.Settings("metered", 0, Scheduling.DEFAULT));
    loop.start();
    MetricsRegistry ofBackends = process("backend");
    backendMetrics = new BackendMetrics(ofBackends, loop);
    StubSettings stubs =
        StubSettings.ofSpeeds(
            Collections.nCopies(backendCount, 1.0), ServiceLaw.parse("exponential"), MILLI, 1);
    backends = new StubPool(loop, stubs, Engine.fixed(stubs.bodyBytes()), backendMetrics);
    backends.start();
    backendMetrics.start(backends::state);

    MetricsRegistry ofProxies = process("proxy");
    proxyMetrics = new ProxyMetrics(ofProxies, loop);
    proxies =
        new ProxyPool(
            loop,
            ProxySettings.of("127.0.0.1", PROXIES, addresses()),
            DispatchListener.NONE,
            proxyMetrics,
            CountBoard.memory());
    proxies.start();
    proxyMetrics.start(proxies::state);

    MetricsRegistry ofGenerator = process("loadgen");
    generatorMetrics = new GeneratorMetrics(ofGenerator, loop);
    generator =
        new Generator(
            loop,
            GeneratorSettings.of(proxies.addresses(), 2),
            ProxyChoice.PLANNED,
            generatorMetrics);
    generator.connect();
    generatorMetrics.start(generator::state);

    proxyServer = MetricsServer.start("127.0.0.1:0", ofProxies);
    backendServer = MetricsServer.start("127.0.0.1:0", ofBackends);
    generatorServer = MetricsServer.start("127.0.0.1:0", ofGenerator);
  }

  /// A registry with what every process has.
  static MetricsRegistry process(String component) {
    MetricsRegistry registry = new MetricsRegistry();
    ProcessMetrics.addTo(registry, component, "1.2", () -> 5 * MILLI);
    return registry;
  }

  List<BackendAddress> addresses() {
    List<BackendAddress> addresses = new ArrayList<>();
    for (int i = 0; i < backends.addresses().size(); i++) {
      addresses.add(BackendAddress.of("b" + i, backends.addresses().get(i)));
    }
    return addresses;
  }

  /// Switches the proxies, as the admin port does.
  void install(String algorithm, ViewSpec view, String viewText, String phase) throws Exception {
    loop.call(
        () -> {
          long now = loop.nanos();
          proxies.install(
              new Installation(
                  Algorithms.builtIn().parse(algorithm, MILLI),
                  view,
                  viewText,
                  1,
                  now,
                  0,
                  0,
                  phase));
          proxyMetrics.installed(now, algorithm, viewText);
          return now;
        },
        Duration.ofSeconds(10));
  }

  /// Sends requests to one proxy after the other, and waits for all.
  CompletedRun run(String id, int requests, long gapNanos, long serviceNanos) throws Exception {
    return begin(id, requests, gapNanos, serviceNanos).get(30, TimeUnit.SECONDS);
  }

  CompletableFuture<CompletedRun> begin(String id, int requests, long gapNanos, long serviceNanos) {
    long[] intended = new long[requests];
    int[] proxy = new int[requests];
    long[] service = new long[requests];
    for (int i = 0; i < requests; i++) {
      intended[i] = i * gapNanos;
      proxy[i] = i % PROXIES;
      service[i] = serviceNanos;
    }
    return generator.run(
        id, Trace.of(PROXIES, intended, proxy, service), loop.nanos(), Progress.NONE);
  }

  @Override
  public void close() {
    generatorServer.close();
    backendServer.close();
    proxyServer.close();
    generatorMetrics.close();
    proxyMetrics.close();
    backendMetrics.close();
    generator.close();
    proxies.close();
    backends.close();
    loop.close();
  }
}
