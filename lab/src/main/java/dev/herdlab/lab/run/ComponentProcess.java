package dev.herdlab.lab.run;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.herdlab.lab.admin.AdminResources;
import dev.herdlab.lab.admin.AdminServer;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.lab.metrics.MetricsRegistry;
import dev.herdlab.lab.metrics.MetricsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// The life of a component's process: a ready line, answers on its admin port, and an orderly end
/// when a signal or the end of standard input says so.
///
/// The ready line is one JSON object on stdout with the ports that were really opened:
/// `{"event":"ready","component":"proxy","ports":[...],"admin":N,"metrics":N,...}`. At the end
/// nothing new is taken on, what is under way has the time of the key `drain`, and then everything
/// closes, in reverse order.
///
/// Owner thread: the process's main one.
final class ComponentProcess {
  private static final ObjectMapper JSON = new ObjectMapper();
  // Closing takes well under a second; what hangs must not keep a container from ending.
  private static final Duration CLOSING_BOUND = Duration.ofSeconds(3);

  private final Component component;
  private final Settings settings;
  private final ProcessResources process;
  private final Optional<MetricsRegistry> registry;
  private final CountDownLatch told = new CountDownLatch(1);
  private final CountDownLatch closed = new CountDownLatch(1);

  /// @param registry has the component's metrics, and gets the process's, if there is one
  ComponentProcess(Component component, Settings settings, Optional<MetricsRegistry> registry) {
    this.registry = registry;
    this.component = component;
    this.settings = settings;
    this.process = new ProcessResources(component);
  }

  /// Lives until it is told to end. Closes the component in any case.
  ///
  /// @param in whose end may end it
  /// @param out gets the ready line
  /// @throws IOException if it cannot be started: one line
  void live(InputStream in, PrintWriter out) throws IOException, InterruptedException {
    Duration drain = Duration.ofNanos(settings.get(ComponentKeys.DRAIN));
    Thread hook = new Thread(() -> awaitClosed(drain), "herdlab-end");
    Runtime.getRuntime().addShutdownHook(hook);
    try (component;
        process;
        Ports ports = new Ports()) {
      say(open(ports), out);
      if (settings.get(ComponentKeys.UNTIL).equals("stdin")) {
        Thread.ofVirtual().start(() -> awaitEnd(in));
      }
      told.await();
      process.ending();
      component.drain(drain);
    } finally {
      closed.countDown();
      forget(hook);
    }
  }

  /// Ports that were opened, closed in reverse order.
  private static final class Ports implements AutoCloseable {
    private Optional<AdminServer> admin = Optional.empty();
    private Optional<MetricsServer> metrics = Optional.empty();

    @Override
    public void close() {
      metrics.ifPresent(MetricsServer::close);
      admin.ifPresent(AdminServer::close);
    }
  }

  /// Opens all; what the ready line says.
  private Map<String, Object> open(Ports ports) throws IOException, InterruptedException {
    Map<String, Object> ready = new LinkedHashMap<>();
    ready.put("event", "ready");
    ready.put("component", component.name());
    ready.putAll(component.start());
    process.start();
    Optional<InetSocketAddress> address = ComponentLists.place(settings, ComponentKeys.ADMIN);
    if (address.isPresent()) {
      AdminResources resources = new AdminResources();
      process.addTo(resources);
      component.addTo(resources);
      AdminServer admin = new AdminServer(address.get(), resources, AdminServer.DEFAULT_BOUND);
      admin.start();
      ports.admin = Optional.of(admin);
      ready.put("admin", admin.port());
    }
    if (registry.isPresent()) {
      var _ = ComponentLists.place(settings, ComponentKeys.METRICS);
      process.addTo(registry.get());
      MetricsServer metrics =
          MetricsServer.start(settings.get(ComponentKeys.METRICS), registry.get());
      ports.metrics = Optional.of(metrics);
      ready.put("metrics", metrics.port());
    }
    return ready;
  }

  private static void say(Map<String, Object> line, PrintWriter out) {
    try {
      out.println(JSON.writeValueAsString(line));
      out.flush();
    } catch (JsonProcessingException e) {
      throw new IllegalStateException(e);
    }
  }

  private void awaitEnd(InputStream in) {
    try {
      long _ = in.transferTo(OutputStream.nullOutputStream());
    } catch (IOException e) {
      // It has ended too.
    }
    told.countDown();
  }

  /// The signal: the JVM ends when this returns.
  private void awaitClosed(Duration drain) {
    told.countDown();
    try {
      var _ = closed.await(drain.plus(CLOSING_BOUND).toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void forget(Thread hook) {
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException ending) {
      // It is what runs now.
    }
  }
}
