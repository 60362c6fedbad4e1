package dev.herdlab.benchmarks;

import dev.herdlab.stub.Engine;
import dev.herdlab.stub.ServiceListener;
import dev.herdlab.stub.StubPool;
import dev.herdlab.stub.StubSettings;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.transport.Scheduling;
import dev.herdlab.workload.ServiceLaw;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// One backend with an engine, and connections to it that ask in turn.
///
/// Owner thread: the benchmark's; the backend has its own.
final class EngineClient implements AutoCloseable {
  private static final int CONNECTIONS = 16;
  private static final int RESPONSE_BYTES = 4096;
  private static final byte[] REQUEST =
      "GET /0 HTTP/1.1\r\nHost: backend\r\nx-herdlab-request: 1\r\nx-herdlab-service: 0\r\n\r\n"
          .getBytes(StandardCharsets.US_ASCII);

  private final PreciseLoop loop;
  private final StubPool pool;
  private final List<Socket> sockets = new ArrayList<>();
  private final byte[] response = new byte[RESPONSE_BYTES];

  private EngineClient(PreciseLoop loop, StubPool pool) {
    this.loop = loop;
    this.pool = pool;
  }

  /// A backend that listens, and its connections.
  ///
  /// @param thread name of its loop's
  static EngineClient of(String thread, Engine engine) throws Exception {
    PreciseLoop loop = PreciseLoop.create(new PreciseLoop.Settings(thread, 0, Scheduling.DEFAULT));
    loop.start();
    StubSettings settings =
        StubSettings.ofSpeeds(
            List.of(1.0), ServiceLaw.parse("exponential"), TimeUnit.MILLISECONDS.toNanos(1), 0);
    EngineClient client =
        new EngineClient(loop, new StubPool(loop, settings, engine, ServiceListener.NONE));
    client.pool.start();
    for (int i = 0; i < CONNECTIONS; i++) {
      Socket socket = new Socket();
      socket.setTcpNoDelay(true);
      socket.connect(client.pool.addresses().getFirst());
      client.sockets.add(socket);
    }
    return client;
  }

  /// Asks for so long.
  ///
  /// @return requests that were answered
  long exchangeFor(long nanos) throws IOException {
    long requests = 0;
    long start = System.nanoTime();
    while (System.nanoTime() - start < nanos) {
      for (Socket socket : sockets) {
        socket.getOutputStream().write(REQUEST);
      }
      for (Socket socket : sockets) {
        // The responses are short, and each is written at once.
        if (socket.getInputStream().read(response) < 0 || response[9] != '2') {
          throw new IOException("a request was not answered with 200");
        }
        requests++;
      }
    }
    return requests;
  }

  @Override
  public void close() throws IOException {
    for (Socket socket : sockets) {
      socket.close();
    }
    pool.close();
    loop.close();
  }
}
