package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// A side that does not read must not make the proxy hold what the other side sends.
@Timeout(120)
class BackPressureTest {
  private static final int TOTAL = 64 << 20;
  private static final int PIECE = 64 * 1024;
  // The bound that the settings promise, a read under way included, and Netty's own bytes an entry.
  private static final long BOUND = ProxySettings.DEFAULT_READ_AHEAD_BYTES + 2 * PIECE;

  private static byte[] piece() {
    byte[] piece = new byte[PIECE];
    Arrays.fill(piece, (byte) 'x');
    return piece;
  }

  // Stuck: over some looks a millisecond apart nothing moved.
  private static long untilStuck(Fixture proxy, LongSupplier moved) {
    long[] last = {-1, 0};
    long[] most = {0};
    Fixture.eventually(
        "stuck",
        () -> {
          most[0] = Math.max(most[0], proxy.connections().waitingBytes());
          long now = moved.getAsLong();
          last[1] = now == last[0] ? last[1] + 1 : 0;
          last[0] = now;
          return last[1] > 200 && now > 0;
        });
    return most[0];
  }

  @Test
  void aClientThatDoesNotReadStopsTheBackend() throws Exception {
    AtomicLong sent = new AtomicLong();
    RawBackend.Script flood =
        (request, exchange) -> {
          exchange.send("HTTP/1.1 200 OK\r\nContent-Length: " + TOTAL + "\r\n\r\n");
          byte[] piece = piece();
          for (int i = 0; i < TOTAL; i += PIECE) {
            exchange.out().write(piece);
            sent.addAndGet(PIECE);
          }
        };
    try (RawBackend backend = new RawBackend(flood);
        Fixture proxy = Fixture.before(backend);
        RawClient client = new RawClient(proxy.pool.addresses().getFirst(), 32 * 1024)) {
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
      long most = untilStuck(proxy, sent::get);
      assertThat(sent.get()).isLessThan(TOTAL);
      assertThat(most).isBetween(1L, BOUND);
      // And once it reads, everything comes.
      assertThat(client.receive().body()).hasSize(TOTAL);
      assertThat(proxy.connections().waitingBytes()).isZero();
    }
  }

  @Test
  void aBackendThatDoesNotReadStopsTheClient() throws Exception {
    var read = new CountDownLatch(1);
    AtomicLong received = new AtomicLong();
    RawBackend.Script stubborn =
        new RawBackend.Script() {
          @Override
          public void beforeBody(RawBackend.Request request, RawBackend.Exchange exchange)
              throws IOException {
            try {
              read.await();
            } catch (InterruptedException e) {
              throw new IOException(e);
            }
          }

          @Override
          public void answer(RawBackend.Request request, RawBackend.Exchange exchange)
              throws IOException {
            received.set(request.body().length());
            RawBackend.OK.answer(request, exchange);
          }
        };
    AtomicLong sent = new AtomicLong();
    try (RawBackend backend = new RawBackend(stubborn);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      client.send("POST / HTTP/1.1\r\nHost: h\r\nContent-Length: " + TOTAL + "\r\n\r\n");
      Thread sender =
          Thread.ofVirtual()
              .start(
                  () -> {
                    byte[] piece = piece();
                    try {
                      for (int i = 0; i < TOTAL; i += PIECE) {
                        client.send(piece);
                        sent.addAndGet(PIECE);
                      }
                    } catch (IOException e) {
                      sent.set(Long.MIN_VALUE);
                    }
                  });
      long most = untilStuck(proxy, sent::get);
      assertThat(sent.get()).isLessThan(TOTAL);
      assertThat(most).isBetween(1L, BOUND);
      read.countDown();
      assertThat(client.receive().status()).isEqualTo(200);
      sender.join();
      assertThat(received.get()).isEqualTo(TOTAL);
    }
  }

  @Test
  void aClientThatPipelinesWithoutEndIsNotReadWithoutEnd() throws Exception {
    var answer = new CountDownLatch(1);
    RawBackend.Script held =
        (request, exchange) -> {
          try {
            answer.await();
          } catch (InterruptedException e) {
            throw new IOException(e);
          }
          RawBackend.OK.answer(request, exchange);
        };
    int count = 200_000;
    String request = "GET / HTTP/1.1\r\nHost: h\r\nX-Padding: " + "p".repeat(200) + "\r\n\r\n";
    AtomicLong sent = new AtomicLong();
    try (RawBackend backend = new RawBackend(held);
        Fixture proxy = Fixture.before(backend)) {
      try (RawClient client = proxy.client()) {
        Thread sender =
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        for (int i = 0; i < count; i += 100) {
                          client.send(request.repeat(100));
                          sent.addAndGet(100);
                        }
                      } catch (IOException e) {
                        // Closed below, in the middle.
                      }
                    });
        long most = untilStuck(proxy, sent::get);
        assertThat(sent.get()).isLessThan(count);
        assertThat(most).isBetween(1L, BOUND);
        answer.countDown();
        for (int i = 0; i < 3000; i++) {
          assertThat(client.receive().status()).isEqualTo(200);
        }
        client.leave();
        sender.join();
      }
      proxy.eventuallyIdle();
    }
  }

  @Test
  void aClientThatDoesNotReadItsResponsesIsNotReadWithoutEnd() throws Exception {
    String body = "b".repeat(1000);
    RawBackend.Script prompt =
        (request, exchange) ->
            exchange.send("HTTP/1.1 200 OK\r\nContent-Length: 1000\r\n\r\n" + body);
    String request = "GET / HTTP/1.1\r\nHost: h\r\n\r\n";
    int count = 200_000;
    try (RawBackend backend = new RawBackend(prompt);
        Fixture proxy = Fixture.before(backend)) {
      try (RawClient client = new RawClient(proxy.pool.addresses().getFirst(), 32 * 1024)) {
        Thread sender =
            Thread.ofVirtual()
                .start(
                    () -> {
                      try {
                        for (int i = 0; i < count; i += 100) {
                          client.send(request.repeat(100));
                        }
                      } catch (IOException e) {
                        // Closed below, in the middle.
                      }
                    });
        LongSupplier picks = () -> proxy.onLoop(() -> proxy.pool.dispatcher(0).picks());
        long most = untilStuck(proxy, picks);
        long stuckAt = picks.getAsLong();
        assertThat(stuckAt).isLessThan(count);
        assertThat(most).isBetween(1L, BOUND);
        // And once it reads, it is served on, past what was stuck.
        for (long i = 0; i < stuckAt + 1000; i++) {
          assertThat(client.receive().body()).isEqualTo(body);
        }
        client.leave();
        sender.join();
      }
      proxy.eventuallyIdle();
    }
  }
}
