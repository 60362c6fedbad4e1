package dev.herdlab.lab.admin;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/// The admin port of a component: serves its resources over HTTP/1.1, to a private network, without
/// authentication.
///
/// Nothing of it runs on an event loop. A request has a bound in time, its body included, and so
/// has the number of those that are answered at once; every connection ends with its answer, so
/// that none is left to count. Errors are one line of JSON. Cost: one thread, and virtual ones that
/// wait. Owner thread: any.
public final class AdminServer implements AutoCloseable {
  /// How long a request may take by default: as long as connections may be opened.
  public static final Duration DEFAULT_BOUND = Duration.ofSeconds(60);

  private static final InternalLogger LOG = InternalLoggerFactory.getInstance(AdminServer.class);
  private static final int BACKLOG = 64;
  private static final int AT_ONCE = 8;

  private final InetSocketAddress address;
  private final AdminResources resources;
  private final Duration bound;
  private final Semaphore places = new Semaphore(AT_ONCE);
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("herdlab-admin-", 0).factory());
  private @Nullable HttpServer server;

  /// A server that does not listen yet.
  ///
  /// @param address where; port 0 is any free one
  /// @param resources not changed any more
  /// @param bound how long a request may take
  public AdminServer(InetSocketAddress address, AdminResources resources, Duration bound) {
    this.address = address;
    this.resources = resources;
    this.bound = bound;
  }

  /// Begins to listen.
  ///
  /// @throws IOException in one line, e.g. if the port is in use
  public void start() throws IOException {
    HttpServer made;
    try {
      made = HttpServer.create(address, BACKLOG);
    } catch (IOException e) {
      throw new IOException(
          "admin: cannot listen on %s:%d: %s"
              .formatted(address.getHostString(), address.getPort(), e.getMessage()),
          e);
    }
    made.setExecutor(threads);
    made.createContext("/", this::handle);
    made.start();
    server = made;
  }

  /// The port it listens on. Once started.
  public int port() {
    if (server == null) {
      throw new IllegalStateException("admin: not started");
    }
    return server.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) {
    try (exchange) {
      AdminAnswer answer = answer(exchange);
      exchange.getResponseHeaders().set("Content-Type", answer.type());
      exchange.getResponseHeaders().set("Connection", "close");
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      if (exchange.getRequestMethod().equals("HEAD")) {
        exchange.getResponseHeaders().set("Content-Length", String.valueOf(answer.body().length));
        exchange.sendResponseHeaders(answer.status(), -1);
        return;
      }
      int length = answer.body().length;
      exchange.sendResponseHeaders(answer.status(), length == 0 ? -1 : length);
      try (OutputStream out = exchange.getResponseBody()) {
        out.write(answer.body());
      }
    } catch (IOException gone) {
      // Whoever asked has gone.
    }
  }

  /// Has another thread read the request and act on it, which is left alone when it takes too long.
  private AdminAnswer answer(HttpExchange exchange) {
    String what = exchange.getRequestMethod() + " " + exchange.getRequestURI().getRawPath();
    Future<AdminAnswer> answer = threads.submit(() -> act(exchange));
    try {
      return answer.get(bound.toNanos(), TimeUnit.NANOSECONDS);
    } catch (TimeoutException e) {
      answer.cancel(true);
      return AdminAnswer.error(504, "%s: no answer within %d ms".formatted(what, bound.toMillis()));
    } catch (ExecutionException e) {
      return failure(what, e.getCause() == null ? e : e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      answer.cancel(true);
      return AdminAnswer.error(503, what + ": the component is ending");
    }
  }

  private AdminAnswer act(HttpExchange exchange) throws Exception {
    String path = exchange.getRequestURI().getPath();
    Optional<AdminResources.Found> found = resources.find(path);
    if (found.isEmpty()) {
      throw AdminException.notFound(
          path + ": not found (expected: one of " + String.join(", ", resources.paths()) + ")");
    }
    String asked = exchange.getRequestMethod();
    String method = asked.equals("HEAD") ? "GET" : asked;
    AdminResources.Method resource = found.get().methods().get(method);
    if (resource == null) {
      String allowed = String.join(", ", found.get().methods().keySet());
      return AdminAnswer.error(
              405, "%s: %s is not allowed (expected: %s)".formatted(path, asked, allowed))
          .withHeader("Allow", allowed);
    }
    AdminRequest request = request(exchange, found.get(), resource.bodyBytes());
    places.acquire();
    try {
      return resource.handler().answer(request);
    } finally {
      places.release();
    }
  }

  private static AdminRequest request(
      HttpExchange exchange, AdminResources.Found found, int bodyBytes) throws IOException {
    return new AdminRequest(
        found.parts(),
        AdminRequest.query(exchange.getRequestURI().getRawQuery()),
        body(exchange, bodyBytes));
  }

  private static byte[] body(HttpExchange exchange, int limit) throws IOException {
    byte[] body = exchange.getRequestBody().readNBytes(limit + 1);
    if (body.length > limit) {
      throw new AdminException(413, "body: longer (expected: at most " + limit + " bytes)");
    }
    return body;
  }

  private static AdminAnswer failure(String what, Throwable cause) {
    String line = String.valueOf(cause.getMessage());
    return switch (cause) {
      case AdminException refused -> AdminAnswer.error(refused.status(), line);
      case IllegalArgumentException wrong -> AdminAnswer.error(400, line);
      case IOException failed -> AdminAnswer.error(502, line);
      case InterruptedException ending ->
          AdminAnswer.error(503, what + ": the component is ending");
      case RejectedExecutionException ending -> AdminAnswer.error(503, line);
      default -> {
        LOG.error("admin: {}", what, cause);
        yield AdminAnswer.error(500, what + ": " + cause);
      }
    };
  }

  /// Stops to listen and breaks off what is being answered. Idempotent.
  @Override
  public void close() {
    if (server != null) {
      server.stop(0);
    }
    threads.shutdownNow();
  }
}
