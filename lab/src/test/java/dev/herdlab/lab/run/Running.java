package dev.herdlab.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.lab.admin.AdminClient;
import dev.herdlab.lab.config.KeyTable;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.lab.config.Sources;
import java.io.IOException;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/// A component that lives as its own process would, on a thread of the test's, with an admin port
/// on loopback; it ends with its standard input.
final class Running implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final long BOUND_SECONDS = 30;

  private final HttpClient http = AdminClient.http();
  private final PipedOutputStream in;
  private final CompletableFuture<Void> end;
  private final JsonNode ready;

  private interface Life {
    void live(Settings settings, PipedInputStream in, PrintWriter out);
  }

  private Running(KeyTable keys, Life life, String... sets) throws Exception {
    List<String> all = new ArrayList<>(List.of("admin=127.0.0.1:0", "until=stdin"));
    all.addAll(Arrays.asList(sets));
    Settings settings = settings(keys, all.toArray(String[]::new));
    in = new PipedOutputStream();
    PipedInputStream stdin = new PipedInputStream(in);
    StringWriter out = new StringWriter();
    end =
        CompletableFuture.runAsync(
            () -> life.live(settings, stdin, new PrintWriter(out)),
            task -> Thread.ofPlatform().daemon().name("component").start(task));
    await("a ready line", () -> out.toString().endsWith("\n") || end.isDone());
    if (end.isDone()) {
      end.join();
    }
    ready = JSON.readTree(out.toString());
  }

  static Settings settings(KeyTable keys, String... sets) {
    return Settings.bind(keys, Sources.read(Optional.empty(), Arrays.asList(sets), Map.of()));
  }

  static Running backend(String... sets) throws Exception {
    return new Running(ComponentKeys.BACKEND, Components::backend, sets);
  }

  static Running proxy(String... sets) throws Exception {
    return new Running(
        ComponentKeys.PROXY,
        (settings, in, out) -> Components.proxy(settings, Algorithms.builtIn(), in, out),
        sets);
  }

  static Running generator(String... sets) throws Exception {
    return new Running(
        ComponentKeys.LOADGEN,
        (settings, in, out) -> {
          if (Components.loadgen(settings, in, out).isPresent()) {
            throw new IllegalStateException("it sent something of its own");
          }
        },
        sets);
  }

  /// Waits until something is so.
  static void await(String what, BooleanSupplier condition) {
    long since = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - since > TimeUnit.SECONDS.toNanos(BOUND_SECONDS)) {
        throw new AssertionError(what + ": not seen");
      }
      LockSupport.parkNanos(2_000_000);
    }
  }

  /// What it said when it was ready.
  JsonNode ready() {
    return ready;
  }

  /// `127.0.0.1:PORT` of its admin port.
  String adminPlace() {
    return "127.0.0.1:" + ready.path("admin").asInt();
  }

  /// `127.0.0.1:PORT` of each data port, with commas between.
  String data() {
    List<String> places = new ArrayList<>();
    ready.path("ports").forEach(port -> places.add("127.0.0.1:" + port.asInt()));
    return String.join(",", places);
  }

  AdminClient admin() {
    return new AdminClient(
        http,
        ready.path("component").asText(),
        new InetSocketAddress(InetAddress.getLoopbackAddress(), ready.path("admin").asInt()));
  }

  JsonNode state() {
    try {
      return admin().get("/state");
    } catch (IOException | InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  /// Tells it to end, without waiting.
  void end() throws IOException {
    in.close();
  }

  /// Whether it has ended.
  boolean hasEnded() {
    return end.isDone();
  }

  @Override
  public void close() throws IOException {
    end();
    end.orTimeout(BOUND_SECONDS, TimeUnit.SECONDS).join();
    http.shutdownNow();
  }
}
