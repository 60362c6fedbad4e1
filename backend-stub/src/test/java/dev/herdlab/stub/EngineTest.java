package dev.herdlab.stub;

import static dev.herdlab.stub.RawClient.get;
import static dev.herdlab.stub.StubFixture.MILLI;
import static dev.herdlab.stub.StubFixture.SECOND;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.stub.Answer.Ending;
import dev.herdlab.stub.RawClient.Response;
import dev.herdlab.transport.Head;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.workload.BackendFault;
import java.io.IOException;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/// What a pool does for an engine of another make, here one that the test answers for.
class EngineTest {
  private static final String ASIDE = "GET /aside HTTP/1.1\r\nHost: stub\r\n\r\n";

  /// Keeps what it gets; answers what is aside at once.
  private static final class Keeping implements Engine {
    final Queue<Exchange> exchanges = new ConcurrentLinkedQueue<>();
    final Queue<String> bodies = new ConcurrentLinkedQueue<>();
    final AtomicReference<PreciseLoop> loop = new AtomicReference<>();

    @Override
    public void start(PreciseLoop started) {
      loop.set(started);
    }

    @Override
    public int maxBodyBytes() {
      return 40;
    }

    @Override
    public boolean aside(Head head) {
      return head.text(head.targetStart(), head.targetEnd()).equals("/aside");
    }

    @Override
    public void answer(Exchange exchange, Head head, byte[] body) {
      bodies.add(new String(body, StandardCharsets.ISO_8859_1));
      if (aside(head)) {
        exchange.reply(Answer.text("200 OK", "aside"));
      } else {
        exchanges.add(exchange);
      }
    }

    @Override
    public void close() {
      loop.set(null);
    }

    void serve(Answer answer) {
      Exchange next = exchanges.remove();
      loop.get().execute(() -> next.serve(answer));
    }
  }

  private final Keeping engine = new Keeping();

  private StubFixture start(StubSettings settings) throws Exception {
    return new StubFixture(settings, engine, ServiceListener.NONE);
  }

  private static Answer text(String text) {
    return Answer.text("200 OK", text);
  }

  /// However late it is answered, a request is served as of its arrival.
  @Test
  void servesAsOfTheArrivalWhatIsAnsweredLate() throws Exception {
    try (StubFixture stub = start(StubFixture.settings(1))) {
      RawClient first = stub.client().write(get(MILLI));
      stub.awaitInFlight(1);
      RawClient second = stub.client().write(get(2 * MILLI));
      stub.awaitInFlight(2);
      long late = System.nanoTime() + 10 * MILLI;
      StubFixture.await(() -> System.nanoTime() > late, () -> "time stands");
      engine.serve(text("one"));
      engine.serve(text("two"));

      Response one = first.read();
      Response two = second.read();
      assertThat(one.body()).isEqualTo("one\n");
      assertThat(one.field("x-herdlab-in-flight")).isEqualTo("1");
      assertThat(one.stamps().start()).isEqualTo(one.stamps().received());
      assertThat(one.stamps().service()).isEqualTo(MILLI);
      assertThat(one.stamps().delivered()).isGreaterThan(late);
      assertThat(two.body()).isEqualTo("two\n");
      assertThat(two.field("x-herdlab-in-flight")).isEqualTo("2");
      assertThat(two.stamps().start())
          .isEqualTo(Math.max(two.stamps().received(), one.stamps().finish()));
      assertThat(two.stamps().service()).isEqualTo(2 * MILLI);
    }
  }

  @Test
  void aRequestThatIsGivenUpBeforeItsAnswerIsCancelled() throws Exception {
    try (StubFixture stub = start(StubFixture.settings(1))) {
      RawClient leaving = stub.client().write(get(3600 * SECOND));
      stub.awaitInFlight(1);
      leaving.close();
      stub.awaitInFlight(0);
      engine.serve(text("nobody"));
      RawClient staying = stub.client().write(get(1));
      stub.awaitInFlight(1);
      engine.serve(text("me"));

      assertThat(staying.read().body()).isEqualTo("me\n");
      assertThat(stub.state(0).cancelled()).isEqualTo(1);
      assertThat(stub.state(0).served()).isEqualTo(1);
    }
  }

  /// As it would have, had the engine answered at once.
  @Test
  void aRequestThatIsGivenUpBeforeItsAnswerHasKeptTheServerBusyUntilThen() throws Exception {
    try (StubFixture stub = start(StubFixture.settings(1))) {
      RawClient leaving = stub.client().write(get(3600 * SECOND));
      stub.awaitInFlight(1);
      RawClient staying = stub.client().write(get(MILLI));
      stub.awaitInFlight(2);
      RawClient waiting = stub.client().write(get(3600 * SECOND));
      stub.awaitInFlight(3);
      RawClient last = stub.client().write(get(MILLI));
      stub.awaitInFlight(4);
      long before = System.nanoTime();
      waiting.close();
      stub.awaitInFlight(3);
      leaving.close();
      stub.awaitInFlight(2);
      long after = System.nanoTime();
      for (int i = 0; i < 4; i++) {
        engine.serve(text("ok"));
      }

      RawClient.Stamps stamps = staying.read().stamps();
      assertThat(stamps.start()).isBetween(before, after);
      assertThat(last.read().stamps().start()).isEqualTo(stamps.finish());
      assertThat(stub.state(0).cancelled()).isEqualTo(2);
      assertThat(stub.state(0).busyNanos()).isBetween(2 * MILLI, after - before + 3600 * SECOND);
    }
  }

  @Test
  void whatIsAsideIsNeitherQueuedNorCountedNorFailed() throws Exception {
    try (StubFixture stub = start(StubFixture.settings(1).withBounds(3, 1, 1024))) {
      stub.client().write(get(3600 * SECOND));
      stub.awaitInFlight(1);
      stub.pool.change(new StubChange.Faults(Map.of("b0", BackendFault.parse("status=500"))));
      RawClient client = stub.client();
      for (int i = 0; i < 2; i++) {
        Response aside = client.exchange(ASIDE);
        assertThat(aside.body()).isEqualTo("aside\n");
        assertThat(aside.backend()).isEqualTo("b0");
        assertThat(aside.fields()).doesNotContainKey("x-herdlab-backend-stamps");
      }
      assertThat(stub.state(0).inFlight()).isEqualTo(1);
      assertThat(stub.state(0).served() + stub.state(0).refused()).isZero();
    }
  }

  @Test
  void aRequestSentAheadOfAnAsideOneIsReadAfterIt() throws Exception {
    try (StubFixture stub = start(StubFixture.settings(1))) {
      RawClient client = stub.client().write(ASIDE + ASIDE + get(1));
      assertThat(client.read().body()).isEqualTo("aside\n");
      assertThat(client.read().body()).isEqualTo("aside\n");
      stub.awaitInFlight(1);
      engine.serve(text("third"));
      assertThat(client.read().body()).isEqualTo("third\n");
    }
  }

  @Test
  void refusesToReplyWithoutServiceToARequestThatCounts() throws Exception {
    try (StubFixture stub = start(StubFixture.settings(1))) {
      stub.client().write(get(1));
      stub.awaitInFlight(1);
      Exchange exchange = engine.exchanges.remove();
      assertThatIllegalStateException()
          .isThrownBy(
              () ->
                  engine
                      .loop
                      .get()
                      .call(
                          () -> {
                            exchange.reply(Answer.text("200 OK", "too early"));
                            return true;
                          },
                          Duration.ofSeconds(10)))
          .withMessageContaining("expected: serve");
    }
  }

  @Test
  void givesTheBodyWithoutItsFraming() throws Exception {
    try (StubFixture stub = start(StubFixture.settings(1))) {
      RawClient client = stub.client();
      for (String body :
          new String[] {
            "Content-Length: 5\r\n\r\nhello",
            "Transfer-Encoding: chunked\r\n\r\n2;a=\"b\"\r\nhe\r\n3\r\nllo\r\n0\r\n\r\n",
            "\r\n"
          }) {
        client.write("POST / HTTP/1.1\r\nHost: stub\r\nx-herdlab-service: 1\r\n" + body);
        stub.awaitInFlight(1);
        engine.serve(text("ok"));
        assertThat(client.read().body()).isEqualTo("ok\n");
      }
      assertThat(engine.bodies).containsExactly("hello", "hello", "");
    }
  }

  @Test
  void refusesABodyThatIsLongerThanTheEngineTakes() throws Exception {
    try (StubFixture stub = start(StubFixture.settings(1))) {
      for (String body :
          new String[] {
            "Content-Length: 41\r\n\r\n",
            "Transfer-Encoding: chunked\r\n\r\n29\r\n0123456789abcdefghijklmnopqrstuvwxyz+++++\r\n",
          }) {
        RawClient client = stub.client();
        client.write("POST / HTTP/1.1\r\nHost: stub\r\n" + body);
        assertThat(client.read().status()).isEqualTo(413);
        assertThat(client.atEnd()).isTrue();
      }
      assertThat(stub.state(0).refused()).isEqualTo(2);
    }
  }

  @Test
  void breaksOffAsTheAnswerSays() throws Exception {
    try (StubFixture stub = start(StubFixture.settings(1))) {
      byte[] bytes = "bytes".getBytes(StandardCharsets.ISO_8859_1);
      RawClient closed = breakOff(stub, new Answer.Broken(new byte[0], Ending.CLOSE));
      assertThat(closed.atEnd()).isTrue();
      RawClient reset = breakOff(stub, new Answer.Broken(new byte[0], Ending.RESET));
      assertThatThrownBy(reset::atEnd).isInstanceOf(SocketException.class);
      RawClient garbled = breakOff(stub, new Answer.Broken(bytes, Ending.CLOSE));
      assertThat(garbled.rest()).isEqualTo("bytes");
      assertThat(stub.state(0).served()).isEqualTo(3);
      assertThat(stub.state(0).busyNanos()).isEqualTo(3);
    }
  }

  private RawClient breakOff(StubFixture stub, Answer.Broken answer) throws IOException {
    RawClient client = stub.client().write(get(1));
    stub.awaitInFlight(1);
    engine.serve(answer);
    return client;
  }

  @Test
  void startsTheEngineBeforeItsPortsAndClosesItAfterThem() throws Exception {
    try (StubFixture stub = start(StubFixture.settings(1))) {
      assertThat(engine.loop.get()).isNotNull();
      stub.pool.close();
      assertThat(engine.loop.get()).isNull();
    }
  }
}
