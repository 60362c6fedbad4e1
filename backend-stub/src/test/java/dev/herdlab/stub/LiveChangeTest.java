package dev.herdlab.stub;

import static dev.herdlab.stub.RawClient.get;
import static dev.herdlab.stub.StubFixture.MILLI;
import static dev.herdlab.stub.StubFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.herdlab.stub.RawClient.Response;
import dev.herdlab.stub.RawClient.Stamps;
import dev.herdlab.workload.ServiceLaw;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/// Changes of law and speed under load.
class LiveChangeTest {
  private static final String UNNAMED = "GET / HTTP/1.1\r\nHost: stub\r\n\r\n";
  private static final int CLIENTS = 8;

  private static StubChange law(String spec, OptionalLong unitNanos) {
    return new StubChange.Service(ServiceLaw.parse(spec), unitNanos);
  }

  @Test
  void anotherLawTakesEffectAndLosesNothing() throws Exception {
    try (StubFixture stub = StubFixture.of(1);
        Load load = new Load(stub.pool.addresses().getFirst(), CLIENTS, UNNAMED)) {
      load.awaitAnswers(50);
      stub.pool.change(law("deterministic(mean=0.5)", OptionalLong.empty()));
      long halved = System.nanoTime();
      load.awaitAnswers(50);
      stub.pool.change(law("deterministic", OptionalLong.of(MILLI / 10)));
      long shortened = System.nanoTime();
      load.awaitAnswers(50);
      List<Response> responses = load.end();

      assertThat(responses).allMatch(each -> each.status() == 200);
      assertThat(load.lost()).isZero();
      assertThat(responses.stream().map(Response::stamps))
          .allMatch(
              at ->
                  at.received() < halved || at.service() == MILLI / 2 || at.service() == MILLI / 10)
          .allMatch(at -> at.received() < shortened || at.service() == MILLI / 10)
          .anyMatch(at -> at.received() > halved && at.service() == MILLI / 2)
          .anyMatch(at -> at.received() > shortened);
      assertThat(stub.pool.state().service()).isEqualTo("deterministic(mean=1.0)");
      assertThat(stub.pool.state().unitNanos()).isEqualTo(MILLI / 10);
      assertThat(stub.state(0).served()).isEqualTo(responses.size());
    }
  }

  @Test
  void aRequestThatNamesItsServiceTimeIsNotTouchedByTheLaw() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      stub.pool.change(law("deterministic(mean=50)", OptionalLong.empty()));
      assertThat(stub.client().exchange(get(7000)).stamps().service()).isEqualTo(7000);
    }
  }

  /// Whatever the speeds, one service follows the other without a gap: the recursion holds to the
  /// nanosecond, and none is lost.
  @Test
  void anotherSpeedTakesEffectAndLosesNothing() throws Exception {
    try (StubFixture stub = StubFixture.of(1, 1);
        Load load = new Load(stub.pool.addresses().getFirst(), CLIENTS, get(MILLI))) {
      for (double speed : new double[] {4, 0.5, 2}) {
        load.awaitAnswers(40);
        stub.pool.change(new StubChange.Speeds(Map.of("b0", speed)));
      }
      long changed = System.nanoTime();
      load.awaitAnswers(40);
      List<Response> responses = load.end();

      assertThat(responses).allMatch(each -> each.status() == 200);
      assertThat(load.lost()).isZero();
      long free = Long.MIN_VALUE;
      for (Response each : responses) {
        Stamps at = each.stamps();
        assertThat(at.start()).isEqualTo(Math.max(at.received(), free));
        free = at.finish();
      }
      assertThat(responses.stream().map(Response::stamps))
          .allMatch(at -> at.start() < changed || at.service() == MILLI / 2)
          .anyMatch(at -> at.service() == MILLI / 4)
          .anyMatch(at -> at.service() == 2 * MILLI)
          .anyMatch(at -> at.start() > changed);
      assertThat(stub.state(0).speed()).isEqualTo(2);
      assertThat(stub.state(1).speed()).isEqualTo(1);
    }
  }

  @Test
  void aBackendThatIsSpedUpServesWhatWaitsAtOnce() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient first = stub.client().write(get(1000 * SECOND));
      stub.awaitInFlight(1);
      RawClient second = stub.client().write(get(1000 * SECOND));
      stub.awaitInFlight(2);
      stub.pool.change(new StubChange.Speeds(Map.of("b0", 1e6)));

      Stamps ahead = first.read().stamps();
      // What it had at speed 1 stays done.
      assertThat(ahead.service()).isBetween(MILLI, 20 * SECOND);
      assertThat(second.read().stamps().service()).isEqualTo(MILLI);
    }
  }

  @Test
  void refusesToChangeABackendThatIsNotHere() throws Exception {
    try (StubFixture stub = StubFixture.of(1, 1)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> stub.pool.change(new StubChange.Speeds(Map.of("b0", 2.0, "b7", 2.0))))
          .withMessage("backend: \"b7\" (expected: one of b0, b1)");
      assertThat(stub.state(0).speed()).isEqualTo(1);
    }
  }

  @Test
  void refusesASpeedAndAUnitThatAreNone() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new StubChange.Speeds(Map.of("b0", 0.0)))
        .withMessage("speed: 0.0 (expected: > 0)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> law("exponential", OptionalLong.of(0)))
        .withMessage("unit: 0 ns (expected: >= 1)");
  }

  @Test
  void theStateAddsUpAndTheListenerHearsTheSame() throws Exception {
    Hearing heard = new Hearing();
    try (StubFixture stub =
        new StubFixture(
            StubFixture.settings(1, 2).withBounds(3, 2, 1024), Engine.fixed(3), heard)) {
      RawClient client = stub.client(1);
      long busy = 0;
      for (int i = 1; i <= 3; i++) {
        busy += client.exchange(get(i * MILLI)).stamps().service();
      }
      RawClient inService = stub.client(1).write(get(3600 * SECOND));
      StubFixture.await(() -> stub.pool.inFlight(1) == 1, () -> "none in service");
      RawClient waiting = stub.client(1).write(get(3600 * SECOND));
      StubFixture.await(() -> stub.pool.inFlight(1) == 2, () -> "none waits");
      assertThat(client.exchange(get(1)).status()).isEqualTo(503);
      assertThat(stub.state(1).busyNanos()).isGreaterThan(busy);
      waiting.close();
      inService.close();
      StubFixture.await(() -> stub.pool.inFlight(1) == 0, () -> "not cancelled");

      StubState.Backend state = stub.state(1);
      assertThat(state.id()).isEqualTo("b1");
      assertThat(state.port()).isEqualTo(stub.pool.addresses().get(1).getPort());
      assertThat(state.served()).isEqualTo(3);
      assertThat(state.refused()).isEqualTo(1);
      assertThat(state.cancelled()).isEqualTo(2);
      // What the one in service had counts, what the other asked for does not.
      assertThat(state.busyNanos()).isBetween(busy + 1, busy + 40 * SECOND);
      assertThat(stub.state(1).busyNanos()).isEqualTo(state.busyNanos());
      assertThat(stub.state(0)).matches(other -> other.served() + other.busyNanos() == 0);
      assertThat(heard.served).hasValue(3);
      assertThat(heard.busy).isEqualTo(busy);
      assertThat(heard.refused).hasValue(1);
      assertThat(heard.cancelled).hasValue(2);
    }
  }

  private static final class Hearing implements ServiceListener {
    final AtomicInteger served = new AtomicInteger();
    final AtomicInteger refused = new AtomicInteger();
    final AtomicInteger cancelled = new AtomicInteger();
    volatile long busy;

    @Override
    public void served(int backend, long received, long start, long finish, long delivered) {
      assertThat(backend).isEqualTo(1);
      assertThat(received).isLessThanOrEqualTo(start);
      assertThat(finish).isLessThanOrEqualTo(delivered);
      long before = busy;
      busy = before + finish - start;
      served.incrementAndGet();
    }

    @Override
    public void refused(int backend) {
      refused.incrementAndGet();
    }

    @Override
    public void cancelled(int backend) {
      cancelled.incrementAndGet();
    }
  }
}
