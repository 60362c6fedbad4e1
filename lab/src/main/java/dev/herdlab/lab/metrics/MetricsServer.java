package dev.herdlab.lab.metrics;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;

/// Serves a process's metrics to Prometheus, at `/metrics`, on a port and threads of its own.
///
/// Answers in text, OpenMetrics or protobuf, as the scraper asks; native histograms are in protobuf
/// alone. Cost of a scrape of a proxy with 16 backends and 6 pairs of algorithm and view: see
/// `docs/metrics.md`. Owner thread: any.
public final class MetricsServer implements AutoCloseable {
  private static final int MAX_PORT = 65_535;
  // The JDK's server writes head and body apart. Without it the body waits for the head to be
  // acknowledged, which takes 40 ms. Heeded if it is set before the process's first server starts.
  private static final String NO_DELAY = "sun.net.httpserver.nodelay";

  private final HTTPServer server;

  private MetricsServer(HTTPServer server) {
    this.server = server;
  }

  /// Starts to listen.
  ///
  /// @param hostPort `HOST:PORT`, an IPv6 address in brackets; port 0 is any free one
  /// @throws IllegalArgumentException if it is something else
  /// @throws IOException if it cannot listen there, in one line
  public static MetricsServer start(String hostPort, MetricsRegistry registry) throws IOException {
    int colon = hostPort.lastIndexOf(':');
    String host = colon < 1 ? "" : hostPort.substring(0, colon);
    int port = colon < 1 ? -1 : port(hostPort.substring(colon + 1));
    if (port < 0) {
      throw new IllegalArgumentException("metrics: " + hostPort + " (expected: HOST:PORT)");
    }
    if (System.getProperty(NO_DELAY) == null) {
      System.setProperty(NO_DELAY, "true");
    }
    try {
      return new MetricsServer(
          HTTPServer.builder()
              .inetAddress(InetAddress.getByName(host))
              .port(port)
              .registry(registry.prometheus())
              .buildAndStart());
    } catch (UnknownHostException e) {
      throw new IOException("metrics: " + hostPort + ": unknown host", e);
    } catch (IOException e) {
      throw new IOException("metrics: " + hostPort + ": " + e.getMessage(), e);
    }
  }

  private static int port(String text) {
    try {
      int port = Integer.parseInt(text);
      return port <= MAX_PORT ? port : -1;
    } catch (NumberFormatException e) {
      return -1;
    }
  }

  /// Where it listens.
  public int port() {
    return server.getPort();
  }

  @Override
  public void close() {
    server.close();
  }
}
