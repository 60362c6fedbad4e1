package dev.herdlab.benchmarks;

import dev.herdlab.stub.Engine;
import dev.herdlab.stub.StubSettings;
import dev.herdlab.wiremock.WireMockEngine;
import dev.herdlab.wiremock.WireMockSettings;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// What a request costs the backends' threads with each engine: requests per second of CPU time, in
/// slots that take turns, since only neighbours can be compared.
///
/// One client thread, in this process but not counted, asks on 16 connections in turn for requests
/// that take no service time: each is one read, one answer, one write. WireMock has 20 mappings;
/// the last of them that it looks at matches.
///
/// Owner thread: the main one.
public final class EngineCost {
  private static final int MAPPINGS = 20;
  private static final int SLOTS = 10;
  private static final long SLOT_NANOS = TimeUnit.SECONDS.toNanos(3);
  // The JIT's burn-in, for each engine.
  private static final long BURN_IN_NANOS = TimeUnit.SECONDS.toNanos(15);
  private static final List<String> COUNTED =
      List.of("backend-fixed", "backend-wiremock", "herdlab-match", "herdlab-admin");

  private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();

  private EngineCost() {}

  /// Takes about two minutes; arguments: none.
  public static void main(String[] arguments) throws Exception {
    Path root = Files.createTempDirectory("herdlab-engines");
    try (EngineClient fixed =
            EngineClient.of("backend-fixed", Engine.fixed(StubSettings.DEFAULT_BODY_BYTES));
        EngineClient mocks =
            EngineClient.of("backend-wiremock", new WireMockEngine(mappings(root)))) {
      new EngineCost().measure(fixed, mocks);
    } finally {
      for (Path each : files(root)) {
        Files.delete(each);
      }
    }
  }

  private static WireMockSettings mappings(Path root) throws IOException {
    Path folder = Files.createDirectory(root.resolve("mappings"));
    for (int i = 0; i < MAPPINGS; i++) {
      Files.writeString(
          folder.resolve(i + ".json"),
          """
          {"priority": %d, "request": {"method": "GET", "urlPath": "/%d"},
           "response": {"body": "ok\\n"}}
          """
              .formatted(MAPPINGS - i, i));
    }
    return WireMockSettings.of(root);
  }

  private static List<Path> files(Path root) throws IOException {
    try (var all = Files.walk(root)) {
      return all.sorted((one, other) -> other.compareTo(one)).toList();
    }
  }

  private void measure(EngineClient fixed, EngineClient mocks) throws IOException {
    fixed.exchangeFor(BURN_IN_NANOS);
    mocks.exchangeFor(BURN_IN_NANOS);
    double[] ratios = new double[SLOTS];
    for (int i = 0; i < SLOTS; i++) {
      double rateFixed = requestsPerCpuSecond(fixed);
      double rateMocks = requestsPerCpuSecond(mocks);
      ratios[i] = rateFixed / rateMocks;
      System.out.printf(
          Locale.ROOT,
          "requests per CPU second: fixed %.0f, wiremock %.0f, ratio %.2f%n",
          rateFixed,
          rateMocks,
          ratios[i]);
    }
    Arrays.sort(ratios);
    System.out.printf(Locale.ROOT, "median ratio %.2f%n", ratios[SLOTS / 2]);
  }

  private double requestsPerCpuSecond(EngineClient client) throws IOException {
    long before = cpuNanos();
    double requests = client.exchangeFor(SLOT_NANOS);
    return requests * TimeUnit.SECONDS.toNanos(1) / (cpuNanos() - before);
  }

  private long cpuNanos() {
    long sum = 0;
    for (long id : threads.getAllThreadIds()) {
      var thread = threads.getThreadInfo(id);
      if (thread != null && COUNTED.contains(thread.getThreadName())) {
        sum += Math.max(0, threads.getThreadCpuTime(id));
      }
    }
    return sum;
  }
}
