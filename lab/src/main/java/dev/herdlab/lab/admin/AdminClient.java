package dev.herdlab.lab.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The other end of a component's admin port. Every call has a bound in time and either has an
/// answer or throws one line that names the component, its address and what was wrong.
///
/// Cost: a connection a call. Owner thread: any.
public final class AdminClient {
  /// How long an answer may take by default: longer than the component's own bound, so that its
  /// words are heard.
  public static final Duration DEFAULT_BOUND =
      AdminServer.DEFAULT_BOUND.plus(Duration.ofSeconds(5));

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration CONNECT_BOUND = Duration.ofSeconds(5);
  private static final long ANSWER_BYTES = 1L << 30;

  private final HttpClient http;
  private final String component;
  private final InetSocketAddress address;
  private final Duration bound;

  /// A client of one component.
  ///
  /// @param http see [#http]; several clients may share it
  /// @param component what it is called in errors, e.g. `proxy`
  /// @param address of its admin port, resolved
  public AdminClient(HttpClient http, String component, InetSocketAddress address) {
    this(http, component, address, DEFAULT_BOUND);
  }

  private AdminClient(
      HttpClient http, String component, InetSocketAddress address, Duration bound) {
    this.http = http;
    this.component = component;
    this.address = address;
    this.bound = bound;
  }

  /// What clients share: it asks directly, whatever the system says of proxies, and follows no
  /// redirect.
  public static HttpClient http() {
    return HttpClient.newBuilder()
        .version(HttpClient.Version.HTTP_1_1)
        .connectTimeout(CONNECT_BOUND)
        .proxy(HttpClient.Builder.NO_PROXY)
        .build();
  }

  /// The same component, with another bound of an answer's time.
  public AdminClient within(Duration other) {
    return new AdminClient(http, component, address, other);
  }

  /// What it is called.
  public String component() {
    return component;
  }

  /// Where its admin port is.
  public InetSocketAddress address() {
    return address;
  }

  /// Bytes, and what the headers say of them.
  public static final class Download {
    private final HttpResponse<byte[]> response;

    private Download(HttpResponse<byte[]> response) {
      this.response = response;
    }

    /// All of them.
    public byte[] body() {
      return response.body();
    }

    /// A header's value.
    public Optional<String> header(String name) {
      return response.headers().firstValue(name);
    }
  }

  /// Asks for a JSON object.
  ///
  /// @throws RefusedException if it says no
  /// @throws IOException if it cannot be reached or does not answer in time
  public JsonNode get(String path) throws IOException, InterruptedException {
    return object("GET", path, new byte[0]);
  }

  /// Asks for bytes. Throws as [#get] does.
  public Download download(String path) throws IOException, InterruptedException {
    return new Download(send("GET", path, new byte[0]));
  }

  /// Puts a JSON object of these fields. Throws as [#get] does.
  public JsonNode put(String path, Map<String, ?> fields) throws IOException, InterruptedException {
    return object("PUT", path, JSON.writeValueAsBytes(fields));
  }

  /// Tells it to do something. Throws as [#get] does.
  public JsonNode post(String path, byte[] body) throws IOException, InterruptedException {
    return object("POST", path, body);
  }

  /// Tells it to do something that needs no words. Throws as [#get] does.
  public JsonNode post(String path) throws IOException, InterruptedException {
    return post(path, new byte[0]);
  }

  /// Takes something away. Throws as [#get] does.
  public JsonNode delete(String path) throws IOException, InterruptedException {
    return object("DELETE", path, new byte[0]);
  }

  private JsonNode object(String method, String path, byte[] body)
      throws IOException, InterruptedException {
    HttpResponse<byte[]> response = send(method, path, body);
    try {
      return JSON.readTree(response.body());
    } catch (JsonProcessingException e) {
      throw error(method, path, "no JSON in the answer", e);
    }
  }

  private HttpResponse<byte[]> send(String method, String path, byte[] body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create("http://" + authority() + path))
            .method(
                method,
                body.length == 0
                    ? HttpRequest.BodyPublishers.noBody()
                    : HttpRequest.BodyPublishers.ofByteArray(body))
            .build();
    CompletableFuture<HttpResponse<byte[]>> answer =
        http.sendAsync(
            request,
            HttpResponse.BodyHandlers.limiting(
                HttpResponse.BodyHandlers.ofByteArray(), ANSWER_BYTES));
    try {
      HttpResponse<byte[]> response = answer.get(bound.toNanos(), TimeUnit.NANOSECONDS);
      if (response.statusCode() / 100 != 2) {
        throw new RefusedException(response.statusCode(), line(method, path, said(response)));
      }
      return response;
    } catch (TimeoutException e) {
      throw error(method, path, "no answer within " + bound.toMillis() + " ms", e);
    } catch (ExecutionException e) {
      throw error(method, path, why(e.getCause() == null ? e : e.getCause()), e);
    } finally {
      answer.cancel(true);
    }
  }

  /// What an answer that is no success says.
  private static String said(HttpResponse<byte[]> response) {
    try {
      String error = JSON.readTree(response.body()).path("error").asText();
      if (!error.isEmpty()) {
        return error;
      }
    } catch (IOException e) {
      // Not one of ours: the status alone says something.
    }
    return "status " + response.statusCode();
  }

  private static String why(Throwable cause) {
    if (cause instanceof ConnectException) {
      return "cannot be reached";
    }
    String message = cause.getMessage();
    return message == null ? cause.toString() : message;
  }

  private IOException error(String method, String path, String what, Throwable cause) {
    return new IOException(line(method, path, what), cause);
  }

  private String line(String method, String path, String what) {
    int query = path.indexOf('?');
    return "%s %s: %s %s: %s"
        .formatted(
            component,
            authority(),
            method,
            query < 0 ? path : path.substring(0, query),
            what.strip().replaceAll("\\s+", " "));
  }

  private String authority() {
    String host =
        address.isUnresolved() ? address.getHostString() : address.getAddress().getHostAddress();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
  }
}
