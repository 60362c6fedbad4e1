package dev.herdlab.stub;

import static dev.herdlab.stub.RawClient.get;
import static dev.herdlab.stub.StubFixture.MILLI;
import static dev.herdlab.stub.StubFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.herdlab.stub.RawClient.Response;
import dev.herdlab.stub.RawClient.Stamps;
import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.Queueing.Discipline;
import dev.herdlab.workload.Station;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Backends that are more than one FIFO server, and clients that wait only so long.
class DisciplineTest {
  private static StubFixture stub(Queueing queueing, double speed) throws Exception {
    return new StubFixture(StubFixture.settings(speed).with(queueing));
  }

  /// A request that takes an hour, of a client that waits only so long.
  private static String limited(long nanos) {
    return "GET / HTTP/1.1\r\nHost: stub\r\nx-herdlab-service: %d\r\nx-herdlab-timeout: %d\r\n\r\n"
        .formatted(3600 * SECOND, nanos);
  }

  /// 16 clients, one request at a time each, on one backend of speed 2. The stamped arrivals,
  /// played to a station, must give every stamped start and finish, to the nanosecond, however late
  /// the loop delivered.
  @ParameterizedTest
  @CsvSource({"FIFO, 3", "LIFO, 1", "LIFO, 3", "PS, 1", "PS, 3"})
  void everyStampIsTheStations(Discipline discipline, int servers) throws Exception {
    Queueing queueing = new Queueing(discipline, servers, Queueing.UNBOUNDED);
    List<SixteenClients.Served> served;
    try (StubFixture stub = stub(queueing, 2)) {
      served = SixteenClients.of(stub);
      assertThat(stub.pool.inFlight()).isZero();
    }
    Station<Stamps> station = queueing.station(2);
    served.forEach(
        each -> station.admit(each.stamps(), each.stamps().received(), each.serviceNanos()));

    int together = 0;
    for (int i = 0; i < 16 * 25; i++) {
      Station.Job<Stamps> job = station.removeHead();
      Stamps stamps = job.tag();
      assertThat(stamps.start()).isEqualTo(job.startNanos());
      assertThat(stamps.finish()).isEqualTo(job.finishNanos());
      assertThat(stamps.delivered()).isGreaterThanOrEqualTo(stamps.finish());
      together += stamps.finish() - stamps.received() > stamps.service() ? 1 : 0;
    }
    assertThat(station.isEmpty()).isTrue();
    if (discipline != Discipline.PS) {
      assertThat(together).as("waited").isPositive();
    }
  }

  @Test
  void aFullBackendShedsAtOnceAndSaysSo() throws Exception {
    try (StubFixture stub = stub(new Queueing(Discipline.FIFO, 1, 1), 1)) {
      RawClient busy = stub.client().write(get(3600 * SECOND));
      stub.awaitInFlight(1);

      Response shed = stub.client().exchange(get(MILLI));

      assertThat(shed.status()).isEqualTo(503);
      assertThat(shed.field("x-herdlab-refusal")).isEqualTo("shed");
      assertThat(stub.state(0).refused()).isEqualTo(1);
      busy.close();
      stub.awaitInFlight(0);
      assertThat(stub.client().exchange(get(MILLI)).status()).isEqualTo(200);
    }
  }

  /// The client closes late; what it kept the server busy for ends at its limit all the same.
  @ParameterizedTest
  @CsvSource({"FIFO, 1", "LIFO, 1", "PS, 1"})
  void aClientThatIsLateToLeaveHasLeftAtItsLimit(Discipline discipline, int servers)
      throws Exception {
    try (StubFixture stub = stub(new Queueing(discipline, servers, Queueing.UNBOUNDED), 1)) {
      RawClient impatient = stub.client().write(limited(20 * MILLI));
      stub.awaitInFlight(1);
      long since = System.nanoTime();
      StubFixture.await(() -> System.nanoTime() - since > 60 * MILLI, () -> "60 ms");
      impatient.close();
      stub.awaitInFlight(0);

      assertThat(stub.state(0).busyNanos()).isEqualTo(20 * MILLI);
      assertThat(stub.state(0).cancelled()).isEqualTo(1);
      assertThat(stub.client().exchange(get(MILLI)).stamps().service()).isEqualTo(MILLI);
    }
  }

  @Test
  void aClientThatLeavesBeforeItsLimitHasLeftThen() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient impatient = stub.client().write(limited(3600 * SECOND));
      stub.awaitInFlight(1);
      impatient.close();
      stub.awaitInFlight(0);

      assertThat(stub.state(0).busyNanos()).isBetween(1L, 20 * SECOND);
    }
  }

  @Test
  void chainedSleepsAreOfOneFifoServer() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                StubFixture.settings(1)
                    .with(new Queueing(Discipline.PS, 1, Queueing.UNBOUNDED))
                    .with(Deadlines.CHAINED))
        .withMessage("deadlines: CHAINED (expected: IDEAL with PS)");
  }
}
