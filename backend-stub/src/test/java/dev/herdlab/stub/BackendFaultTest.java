package dev.herdlab.stub;

import static dev.herdlab.stub.RawClient.get;
import static dev.herdlab.stub.StubFixture.MILLI;
import static dev.herdlab.stub.StubFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.stub.RawClient.Response;
import dev.herdlab.workload.BackendFault;
import java.io.IOException;
import java.net.ConnectException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Faults that come and go under load.
class BackendFaultTest {
  private static void fault(StubFixture stub, String spec) {
    stub.pool.change(new StubChange.Faults(Map.of("b0", BackendFault.parse(spec))));
  }

  /// Backend 0 fails and recovers, twice; what it answered, turned away and gave up is what its
  /// clients saw, and backend 1 loses nothing.
  @ParameterizedTest
  @ValueSource(strings = {"refuse", "close", "status=503", "status=429"})
  void losesWhatTheFaultFailsAndNothingElse(String spec) throws Exception {
    try (StubFixture stub = StubFixture.of(1, 1);
        Load failing = new Load(stub.pool.addresses().getFirst(), 4, get(MILLI / 4));
        Load beside = new Load(stub.pool.addresses().get(1), 4, get(MILLI / 4))) {
      for (int turn = 0; turn < 2; turn++) {
        failing.awaitAnswers(40);
        fault(stub, spec);
        assertThat(stub.state(0).fault().spec()).isEqualTo(spec);
        if (spec.startsWith("status")) {
          failing.awaitAnswers(20);
        } else {
          failing.awaitLost(20);
        }
        fault(stub, "none");
        int lost = failing.lost();
        failing.awaitAnswers(40);
        // Those that were on their way when it ended.
        assertThat(failing.lost() - lost).isLessThanOrEqualTo(4);
      }
      List<Response> responses = failing.end();
      beside.end();

      StubState.Backend state = stub.state(0);
      long served = responses.stream().filter(each -> each.status() == 200).count();
      assertThat(state.inFlight()).isZero();
      switch (spec) {
        case "refuse" -> {
          // Each of four clients loses at most one request at each of two instants: in the queue,
          // or
          // answered and not yet read.
          assertThat(state.served() + state.cancelled()).isBetween(served, served + 8);
          assertThat(state.refused()).isZero();
        }
        case "close" -> {
          assertThat(state.served()).isEqualTo(served);
          assertThat(state.refused()).isEqualTo(failing.lost());
        }
        default -> {
          assertThat(state.served()).isEqualTo(served);
          assertThat(responses.size() - served).isEqualTo(state.refused()).isPositive();
          assertThat(failing.lost()).isZero();
        }
      }
      assertThat(beside.lost()).isZero();
      assertThat(stub.state(1).served()).isEqualTo(beside.answered());
    }
  }

  @Test
  void aBackendThatRefusesResetsItsConnectionsAndComesBackAtItsPort() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient idle = stub.client();
      assertThat(idle.exchange(get(1)).status()).isEqualTo(200);
      RawClient inService = stub.client().write(get(3600 * SECOND));
      stub.awaitInFlight(1);
      fault(stub, "refuse");

      assertThatThrownBy(idle::atEnd).isInstanceOf(IOException.class);
      assertThatThrownBy(inService::read).isInstanceOf(IOException.class);
      assertThatThrownBy(stub::client).isInstanceOf(ConnectException.class);
      assertThat(stub.state(0).cancelled()).isEqualTo(1);
      fault(stub, "none");
      assertThat(stub.client().exchange(get(1)).status()).isEqualTo(200);
      assertThat(stub.state(0).port()).isEqualTo(stub.pool.addresses().getFirst().getPort());
    }
  }

  @Test
  void aBackendThatHangsAnswersOnlyWhatItHadAndTheRestOnceItIsBack() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      RawClient had = stub.client().write(get(50 * MILLI));
      stub.awaitInFlight(1);
      fault(stub, "hang");
      RawClient second = stub.client().write(get(MILLI));
      stub.awaitInFlight(2);
      RawClient third = stub.client().write(get(MILLI));
      stub.awaitInFlight(3);
      RawClient leaving = stub.client().write(get(3600 * SECOND));
      stub.awaitInFlight(4);
      leaving.close();
      assertThat(had.read().status()).isEqualTo(200);
      stub.awaitInFlight(2);
      assertThat(stub.state(0).cancelled()).isEqualTo(1);
      assertThat(stub.state(0).served()).isEqualTo(1);
      long back = System.nanoTime();
      fault(stub, "none");

      RawClient.Stamps at = second.read().stamps();
      assertThat(at.received()).isLessThan(back);
      assertThat(at.start()).isGreaterThan(back);
      assertThat(third.read().stamps().start()).isEqualTo(at.finish());
      assertThat(stub.client().exchange(get(MILLI)).status()).isEqualTo(200);
    }
  }

  @Test
  void oneFaultFollowsAnother() throws Exception {
    try (StubFixture stub = StubFixture.of(1)) {
      fault(stub, "refuse");
      fault(stub, "refuse");
      fault(stub, "status=500");
      assertThat(stub.client().exchange(get(1)).status()).isEqualTo(500);
      fault(stub, "hang");
      RawClient held = stub.client().write(get(1));
      stub.awaitInFlight(1);
      fault(stub, "close");
      assertThat(held.read().status()).isEqualTo(200);
      assertThat(stub.client().write(get(1)).atEnd()).isTrue();
      fault(stub, "none");
      assertThat(stub.client().exchange(get(1)).status()).isEqualTo(200);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"none", "refuse", "hang", "close", "status=400", "status=599"})
  void aSpecGivesTheFaultAgain(String spec) {
    assertThat(BackendFault.parse(spec).spec()).isEqualTo(spec);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "slow", "status", "status=", "status=200", "status=600", "status=50"})
  void refusesAFaultThatIsNone(String spec) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> BackendFault.parse(spec))
        .withMessage(
            "fault: \"" + spec + "\" (expected: none, refuse, hang, close or status=400 to 599)");
  }
}
