package dev.herdlab.wiremock;

import static dev.herdlab.wiremock.EngineFixture.MILLI;
import static dev.herdlab.wiremock.EngineFixture.SECOND;
import static dev.herdlab.wiremock.RawClient.get;
import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.stub.Engine;
import dev.herdlab.stub.StubChange;
import dev.herdlab.wiremock.RawClient.Response;
import dev.herdlab.wiremock.RawClient.Stamps;
import dev.herdlab.workload.FifoServer;
import dev.herdlab.workload.RandomStream;
import dev.herdlab.workload.ServiceLaw;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Whatever makes the answers, a backend is one FIFO queue with one server, and is the model's.
class EngineContractTest {
  private static final int REQUESTS = 300;
  private static final String UNNAMED = "GET /any HTTP/1.1\r\nHost: stub\r\n\r\n";

  @TempDir private Path root;

  enum Kind {
    FIXED,
    WIREMOCK
  }

  private Engine engine(Kind kind) throws IOException {
    Path mappings = Files.createDirectories(root.resolve("mappings"));
    Files.writeString(
        mappings.resolve("any.json"),
        """
        {"request": {"method": "ANY", "urlPattern": ".*"}, "response": {"body": "any"}}
        """);
    return switch (kind) {
      case FIXED -> Engine.fixed(3);
      case WIREMOCK -> new WireMockEngine(WireMockSettings.of(root));
    };
  }

  private record Served(long serviceNanos, Stamps stamps) {}

  /// A Poisson trace of load 0.8, each request on a connection of its own. The model is given the
  /// stamped arrivals in their order: every start and finish is the model's, to the nanosecond.
  @ParameterizedTest
  @EnumSource(Kind.class)
  void servesATraceAsTheModelDoes(Kind kind) throws Exception {
    double speed = 2;
    List<Served> served = new ArrayList<>();
    try (EngineFixture backend = new EngineFixture(engine(kind), EngineFixture.settings(speed));
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      RandomStream gaps = RandomStream.of(11, "gaps");
      RandomStream services = RandomStream.of(11, "services");
      ServiceLaw law = ServiceLaw.parse("lognormal");
      List<Future<Served>> sent = new ArrayList<>();
      long at = System.nanoTime() + SECOND;
      for (int i = 0; i < REQUESTS; i++) {
        at += Math.round(MILLI / (0.8 * speed) * gaps.exponential());
        sent.add(threads.submit(one(backend, at, law.sampleNanos(services, MILLI))));
      }
      for (Future<Served> each : sent) {
        served.add(each.get());
      }
      assertThat(backend.state().inFlight()).isZero();
      assertThat(backend.state().served()).isEqualTo(REQUESTS);
      assertThat(backend.state().busyNanos())
          .isEqualTo(served.stream().mapToLong(each -> each.stamps.service()).sum());
    }

    served.sort(
        Comparator.comparingLong((Served each) -> each.stamps.received())
            .thenComparingLong(each -> each.stamps.start()));
    FifoServer<String> model = new FifoServer<>(speed);
    int waited = 0;
    for (Served each : served) {
      FifoServer.Job<String> job = model.admit("", each.stamps.received(), each.serviceNanos);
      assertThat(each.stamps.start()).isEqualTo(job.startNanos());
      assertThat(each.stamps.finish()).isEqualTo(job.finishNanos());
      assertThat(each.stamps.delivered()).isGreaterThanOrEqualTo(each.stamps.finish());
      waited += each.stamps.start() > each.stamps.received() ? 1 : 0;
    }
    assertThat(waited).isGreaterThan(REQUESTS / 4);
  }

  private static Callable<Served> one(EngineFixture backend, long atNanos, long serviceNanos) {
    return () -> {
      RawClient client = backend.client();
      for (long left = atNanos - System.nanoTime(); left > 0; left = atNanos - System.nanoTime()) {
        LockSupport.parkNanos(left);
      }
      Response response = client.exchange(get(serviceNanos));
      assertThat(response.status()).isEqualTo(200);
      return new Served(serviceNanos, response.stamps());
    };
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aClientThatLeavesGivesBackTheRestOfItsService(Kind kind) throws Exception {
    try (EngineFixture backend = new EngineFixture(engine(kind), EngineFixture.settings(1))) {
      RawClient leaving = backend.client().write(get(3600 * SECOND));
      backend.awaitInFlight(1);
      RawClient staying = backend.client().write(get(MILLI));
      backend.awaitInFlight(2);
      long before = System.nanoTime();
      leaving.close();

      Stamps stamps = staying.read().stamps();
      assertThat(stamps.start()).isBetween(before, System.nanoTime());
      assertThat(stamps.service()).isEqualTo(MILLI);
      assertThat(backend.state().cancelled()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aClientThatLeavesTheQueueIsNotServed(Kind kind) throws Exception {
    try (EngineFixture backend = new EngineFixture(engine(kind), EngineFixture.settings(1))) {
      RawClient first = backend.client().write(get(1500 * MILLI));
      backend.awaitInFlight(1);
      RawClient leaving = backend.client().write(get(3600 * SECOND));
      backend.awaitInFlight(2);
      RawClient last = backend.client().write(get(MILLI));
      backend.awaitInFlight(3);
      leaving.close();
      backend.awaitInFlight(2);

      assertThat(last.read().stamps().start()).isEqualTo(first.read().stamps().finish());
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void refusesWhatExceedsTheQueueAndWhatNamesNoTime(Kind kind) throws Exception {
    try (EngineFixture backend =
        new EngineFixture(engine(kind), EngineFixture.settings(1).withBounds(3, 1, 1024))) {
      RawClient busy = backend.client().write(get(3600 * SECOND));
      backend.awaitInFlight(1);
      RawClient client = backend.client();
      assertThat(client.exchange(get(1)).status()).isEqualTo(503);
      busy.close();
      backend.awaitInFlight(0);
      String soon = "GET / HTTP/1.1\r\nHost: stub\r\nx-herdlab-service: soon\r\n\r\n";
      assertThat(client.exchange(soon).status()).isEqualTo(400);
      assertThat(client.exchange(get(1)).status()).isEqualTo(200);
      assertThat(backend.state().refused()).isEqualTo(2);
    }
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void aChangeOfSpeedIsTheModels(Kind kind) throws Exception {
    try (EngineFixture backend = new EngineFixture(engine(kind), EngineFixture.settings(1))) {
      RawClient first = backend.client().write(get(1000 * SECOND));
      backend.awaitInFlight(1);
      RawClient second = backend.client().write(get(1000 * SECOND));
      backend.awaitInFlight(2);
      // A tenth of a second each from now on: the second is matched long before the first ends.
      backend.pool.change(new StubChange.Speeds(Map.of("b0", 1e4)));

      Stamps ahead = first.read().stamps();
      Stamps behind = second.read().stamps();
      assertThat(behind.start()).isEqualTo(ahead.finish());
      assertThat(behind.service()).isEqualTo(100 * MILLI);
    }
  }

  /// Neither engine moves the other's random numbers.
  @Test
  void bothDrawTheSameServiceTimes() throws Exception {
    List<List<Long>> draws = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      try (EngineFixture backend = new EngineFixture(engine(kind), EngineFixture.settings(1))) {
        RawClient client = backend.client();
        List<Long> services = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
          services.add(client.exchange(UNNAMED).stamps().service());
        }
        draws.add(services);
      }
    }
    assertThat(draws.get(0)).isEqualTo(draws.get(1)).doesNotHaveDuplicates();
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void speaksToItsProxies(Kind kind) throws Exception {
    try (EngineFixture backend = new EngineFixture(engine(kind), EngineFixture.settings(1))) {
      RawClient listener = backend.client();
      Response head =
          listener.write("GET /-/idle?choices=1 HTTP/1.1\r\nHost: stub\r\n\r\n").readWithoutBody();
      assertThat(head.status()).isEqualTo(200);
      Response asked =
          backend
              .client()
              .exchange(get(2 * MILLI).replace("\r\n\r\n", "\r\nx-herdlab-report: 1\r\n\r\n"));
      assertThat(asked.field("endpoint-load-metrics")).endsWith(",named_metrics.in_flight=0");
      assertThat(listener.line()).isEqualTo("5");
      Response probed = backend.client().exchange("GET /-/probe HTTP/1.1\r\nHost: stub\r\n\r\n");
      assertThat(probed.field("x-herdlab-latency-ns")).isEqualTo(String.valueOf(2 * MILLI));
      assertThat(backend.state().served()).isEqualTo(1);
    }
  }
}
