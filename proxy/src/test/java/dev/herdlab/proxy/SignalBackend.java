package dev.herdlab.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;

/// A backend that answers probes as a test says, and keeps the streams of who listens for it to
/// become idle.
final class SignalBackend implements AutoCloseable {
  /// A reply to a probe.
  static final String LOADED =
      "HTTP/1.1 200 OK\r\nContent-Length: 2\r\nx-herdlab-in-flight: 3\r\n"
          + "X-Herdlab-Latency-Ns: 25000000\r\n\r\nok";

  private static final String STREAM = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n";
  private static final String END = "";

  private final RawBackend backend;
  private final Queue<Stream> streams = new ConcurrentLinkedQueue<>();
  private volatile RawBackend.Script probed = (request, exchange) -> exchange.send(LOADED);
  private volatile RawBackend.Script requested = RawBackend.OK;
  private volatile String streamHead = STREAM;

  /// One stream.
  record Stream(RawBackend.Request request, LinkedBlockingQueue<String> texts) {
    /// Writes these bytes next.
    void send(String text) {
      texts.add(text);
    }

    /// The backend has become idle.
    void tell() {
      send("5\r\nidle\n\r\n");
    }

    /// Closes the connection.
    void end() {
      send(END);
    }
  }

  SignalBackend() {
    backend =
        new RawBackend(
            (request, exchange) -> {
              if (request.line().startsWith("GET /-/probe HTTP/1.1")) {
                probed.answer(request, exchange);
              } else if (request.line().startsWith("GET /-/idle?choices=")) {
                stream(request, exchange);
              } else {
                requested.answer(request, exchange);
              }
            });
  }

  private void stream(RawBackend.Request request, RawBackend.Exchange exchange) throws IOException {
    exchange.send(streamHead);
    Stream stream = new Stream(request, new LinkedBlockingQueue<>());
    streams.add(stream);
    try {
      for (String text = stream.texts().take(); !text.equals(END); text = stream.texts().take()) {
        exchange.send(text);
      }
    } catch (InterruptedException e) {
      throw new IOException(e);
    }
    exchange.close();
  }

  InetSocketAddress address() {
    return backend.address();
  }

  /// How probes are answered from now on.
  void probed(RawBackend.Script script) {
    probed = script;
  }

  /// How requests are answered from now on.
  void requested(RawBackend.Script script) {
    requested = script;
  }

  /// What a stream begins with from now on.
  void streamHead(String head) {
    streamHead = head;
  }

  /// Every stream that there ever was.
  List<Stream> streams() {
    return List.copyOf(streams);
  }

  /// The requests whose line begins so.
  List<RawBackend.Request> requests(String begin) {
    return backend.requests().stream().filter(request -> request.line().startsWith(begin)).toList();
  }

  int connections() {
    return backend.connections();
  }

  /// Connections that the proxy has closed, or this.
  int ended() {
    return backend.ended();
  }

  @Override
  public void close() {
    streams.forEach(Stream::end);
    backend.close();
  }
}
