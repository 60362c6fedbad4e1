package dev.herdlab.stub;

import static dev.herdlab.stub.RawClient.get;
import static dev.herdlab.stub.StubFixture.MILLI;
import static dev.herdlab.stub.StubFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.stub.RawClient.Response;
import dev.herdlab.stub.RawClient.Stamps;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/// When requests are served and answered, by the stub's own stamps.
class ServiceTimeTest {
  @Test
  void takesTheServiceTimeOfTheHeader() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      long before = System.nanoTime();
      Response response = stub.client().exchange(get(20 * MILLI));
      long after = System.nanoTime();

      Stamps stamps = response.stamps();
      assertThat(response.status()).isEqualTo(200);
      assertThat(stamps.received()).isBetween(before, after);
      assertThat(stamps.start()).isEqualTo(stamps.received());
      assertThat(stamps.service()).isEqualTo(20 * MILLI);
      assertThat(stamps.delivered()).isBetween(stamps.finish(), after);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0.5, 2, 3})
  void aFasterBackendTakesLess(double speed) throws Exception {
    try (StubFixture stub = StubFixture.of(speed)) {
      assertThat(stub.client().exchange(get(MILLI)).stamps().service())
          .isEqualTo(Math.round(MILLI / speed));
    }
  }

  @Test
  void answersARequestWithoutServiceTimeAtOnce() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      assertThat(stub.client().exchange(get(0)).stamps().service()).isZero();
    }
  }

  /// 16 clients, one request at a time each, on one backend of speed 2: a queue that is seldom
  /// empty. Every stamp is compared with Lindley's recursion over the stamps alone, to the
  /// nanosecond.
  @ParameterizedTest
  @EnumSource(Deadlines.class)
  void everyRequestFollowsTheRecursionOfItsDeadlines(Deadlines deadlines) throws Exception {
    double speed = 2;
    List<SixteenClients.Served> served;
    try (StubFixture stub = new StubFixture(StubFixture.settings(speed).with(deadlines))) {
      served = SixteenClients.of(stub);
      assertThat(stub.pool.inFlight()).isZero();
    }

    assertThat(served).hasSize(16 * 25);
    long free = Long.MIN_VALUE;
    int waited = 0;
    for (SixteenClients.Served each : served) {
      Stamps stamps = each.stamps();
      assertThat(stamps.start()).isEqualTo(Math.max(stamps.received(), free));
      assertThat(stamps.service()).isEqualTo(Math.round(each.serviceNanos() / speed));
      assertThat(stamps.delivered()).isGreaterThanOrEqualTo(stamps.finish());
      waited += stamps.start() > stamps.received() ? 1 : 0;
      free = deadlines == Deadlines.IDEAL ? stamps.finish() : stamps.delivered();
    }
    assertThat(waited).isGreaterThan(100);
    assertThat(served)
        .anyMatch(each -> each.inFlight() > 1)
        .allMatch(each -> each.inFlight() <= 16);
  }

  @Test
  void aClientThatLeavesGivesBackTheRestOfItsService() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient leaving = stub.client().write(get(3600 * SECOND) + get(MILLI));
      stub.awaitInFlight(1);
      RawClient staying = stub.client().write(get(MILLI));
      stub.awaitInFlight(2);
      long before = System.nanoTime();
      leaving.close();

      Stamps stamps = staying.read().stamps();
      assertThat(stamps.start()).isBetween(before, System.nanoTime());
      assertThat(stamps.service()).isEqualTo(MILLI);
    }
  }

  @ParameterizedTest
  @EnumSource(Deadlines.class)
  void aClientThatLeavesTheQueueIsNotServed(Deadlines deadlines) throws Exception {
    try (StubFixture stub = new StubFixture(StubFixture.settings(1).with(deadlines))) {
      RawClient first = stub.client().write(get(1500 * MILLI));
      stub.awaitInFlight(1);
      RawClient leaving = stub.client().write(get(3600 * SECOND));
      stub.awaitInFlight(2);
      RawClient last = stub.client().write(get(MILLI));
      stub.awaitInFlight(3);
      leaving.close();
      stub.awaitInFlight(2);

      Stamps ahead = first.read().stamps();
      assertThat(last.read().stamps().start())
          .isEqualTo(deadlines == Deadlines.IDEAL ? ahead.finish() : ahead.delivered());
    }
  }

  @Test
  void drawsByTheSeedWhenThereIsNoHeader() throws Exception {
    assertThat(draws(StubFixture.settings(1, 1), 0))
        .isEqualTo(draws(StubFixture.settings(1, 1), 0));
    assertThat(draws(StubFixture.settings(1, 1), 0))
        .isNotEqualTo(draws(StubFixture.settings(1, 1), 1))
        .doesNotHaveDuplicates();
  }

  private static List<Long> draws(StubSettings settings, int backend) throws Exception {
    List<Long> services = new ArrayList<>();
    try (StubFixture stub = new StubFixture(settings)) {
      RawClient client = stub.client(backend);
      for (int i = 0; i < 5; i++) {
        services.add(client.exchange("GET / HTTP/1.1\r\nHost: stub\r\n\r\n").stamps().service());
      }
    }
    return services;
  }

  @Test
  void servesItsBackendsSideBySide() throws Exception {
    try (StubFixture stub = StubFixture.of(1, 1)) {
      RawClient busy = stub.client(0).write(get(3600 * SECOND));
      stub.awaitInFlight(1);
      Response response = stub.client(1).exchange(get(MILLI));

      assertThat(response.backend()).isEqualTo("b1");
      assertThat(response.field("x-herdlab-in-flight")).isEqualTo("1");
      assertThat(stub.pool.inFlight()).isEqualTo(1);
      busy.close();
      stub.awaitInFlight(0);
    }
  }
}
