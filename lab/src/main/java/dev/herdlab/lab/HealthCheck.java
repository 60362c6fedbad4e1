package dev.herdlab.lab;

import dev.herdlab.lab.config.ConfigException;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;

/// A health check that needs no other program, and as little of this one as can be: containers run
/// it every few seconds, each time in a JVM of its own.
///
/// Owner thread: any (no state).
final class HealthCheck {
  /// What it is called on the command line.
  static final String COMMAND = "health";

  private static final int BOUND_MILLIS = 4_000;
  private static final int ANSWER_BYTES = 16 * 1024;
  private static final int HTTP_PORT = 80;

  private HealthCheck() {}

  /// Where to ask. Owner thread: any (immutable).
  private record Place(String host, int port, String path) {}

  /// Asks; prints one line, on `out` if it is well, on `err` if not.
  ///
  /// @return 0 if it is well, 1 if not
  /// @throws ConfigException if `text` is neither a URL nor `HOST:PORT`
  static int check(String text, PrintWriter out, PrintWriter err) {
    Place place = place(text);
    try {
      String answer = ask(place);
      String status = answer.lines().findFirst().orElse("");
      int body = answer.indexOf("\r\n\r\n");
      String line = body < 0 ? status : answer.substring(body).strip();
      if (status.startsWith("HTTP/1.1 200 ")) {
        out.println("herdlab: " + text + ": " + oneLine(line));
        out.flush();
        return ExitCode.OK;
      }
      err.println("herdlab: " + text + ": " + oneLine(status + " " + line));
    } catch (IOException e) {
      err.println("herdlab: " + text + ": " + e.getMessage());
    }
    err.flush();
    return ExitCode.INTERNAL;
  }

  private static Place place(String text) {
    try {
      URI uri = URI.create(text.contains("://") ? text : "http://" + text);
      if ("http".equals(uri.getScheme()) && uri.getHost() != null) {
        String path = uri.getRawPath() == null ? "" : uri.getRawPath();
        return new Place(
            uri.getHost().replaceAll("^\\[|\\]$", ""),
            uri.getPort() < 0 ? HTTP_PORT : uri.getPort(),
            path.isEmpty() || path.equals("/") ? "/health" : path);
      }
    } catch (IllegalArgumentException e) {
      // Falls through: it is no place.
    }
    throw ConfigException.at(COMMAND, text, "HOST:PORT or http://HOST:PORT");
  }

  private static String ask(Place place) throws IOException {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(place.host(), place.port()), BOUND_MILLIS);
      socket.setSoTimeout(BOUND_MILLIS);
      String request =
          "GET %s HTTP/1.1\r\nHost: %s:%d\r\nConnection: close\r\n\r\n"
              .formatted(place.path(), place.host(), place.port());
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      InputStream in = socket.getInputStream();
      return new String(in.readNBytes(ANSWER_BYTES), StandardCharsets.UTF_8);
    }
  }

  private static String oneLine(String text) {
    return text.strip().replaceAll("\\s+", " ");
  }
}
