package dev.herdlab.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.proxy.BackendAddress;
import dev.herdlab.proxy.PoolSettings;
import dev.herdlab.proxy.ProxyPool;
import dev.herdlab.proxy.ProxySettings;
import dev.herdlab.proxy.Timeouts;
import dev.herdlab.transport.PreciseLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;

/// The proxies as a process: `herdlab proxy`.
///
/// Commands: `warm` opens upstream connections; `install` (`algorithm`, `view`, `unit_ns`, `seed`,
/// `events`, `epoch_ns`) replaces the balancers and empties the log, with room for so many events;
/// `log` (`file`) hands over what the
/// balancers saw since and says what is in flight. Owner thread: the process's main one.
public final class ProxyComponent implements Component {
  private static final Duration BOUND = Duration.ofSeconds(10);

  private final PreciseLoop loop;
  private final ProxyPool pool;
  private final Algorithms algorithms;
  private final ConfiguredAlgorithm algorithm;
  private final ViewSpec view;
  private final long seed;
  private final DispatchLog log;

  private ProxyComponent(
      PreciseLoop loop,
      ProxyPool pool,
      Algorithms algorithms,
      ConfiguredAlgorithm algorithm,
      ViewSpec view,
      long seed,
      DispatchLog log) {
    this.loop = loop;
    this.pool = pool;
    this.algorithms = algorithms;
    this.algorithm = algorithm;
    this.view = view;
    this.seed = seed;
    this.log = log;
  }

  /// Of these settings; not listening yet.
  ///
  /// @throws dev.herdlab.lab.config.ConfigException if they do not fit each other or the system
  static ProxyComponent of(Settings settings, Algorithms algorithms) {
    long unitNanos = settings.get(ComponentKeys.UNIT);
    ConfiguredAlgorithm algorithm =
        ComponentLists.spec(
            settings, ComponentKeys.ALGORITHM, text -> algorithms.parse(text, unitNanos));
    ViewSpec view =
        ComponentLists.spec(settings, ComponentKeys.VIEW, text -> ViewSpec.parse(text, unitNanos));
    boolean recorded = settings.get(ComponentKeys.CONTROL).equals("stdin");
    DispatchLog log = new DispatchLog(0);
    ProxySettings proxies = proxies(settings);
    PreciseLoop loop = ComponentLoop.start("herdlab-proxy", settings);
    // Without a lab nobody would ever empty the log.
    ProxyPool pool = new ProxyPool(loop, proxies, recorded ? log : DispatchListener.NONE);
    return new ProxyComponent(
        loop, pool, algorithms, algorithm, view, settings.get(ComponentKeys.SEED), log);
  }

  private static ProxySettings proxies(Settings settings) {
    int instances = settings.get(ComponentKeys.INSTANCES);
    int warm = settings.get(ComponentKeys.POOL_WARM);
    if (warm > settings.get(ComponentKeys.POOL_CAP)) {
      throw settings.error(ComponentKeys.POOL_WARM, "at most pool-cap");
    }
    return ProxySettings.of(settings.get(ComponentKeys.HOST), instances, backends(settings))
        .withPorts(
            ComponentLists.each(settings, ComponentKeys.PORTS, instances, "one for each instance"))
        .withPool(new PoolSettings(warm, settings.get(ComponentKeys.POOL_CAP)))
        .withTimeouts(
            Timeouts.DEFAULT
                .withConnect(Duration.ofNanos(settings.get(ComponentKeys.CONNECT_TIMEOUT)))
                .withResponseHead(Duration.ofNanos(settings.get(ComponentKeys.RESPONSE_TIMEOUT))));
  }

  private static List<BackendAddress> backends(Settings settings) {
    List<String> texts = settings.list(ComponentKeys.BACKENDS);
    List<Integer> weights =
        ComponentLists.each(settings, ComponentKeys.WEIGHTS, texts.size(), "one for each backend");
    List<BackendAddress> backends = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < texts.size(); i++) {
      int equals = texts.get(i).indexOf('=');
      String id = equals > 0 ? texts.get(i).substring(0, equals) : "b" + i;
      if (!ids.add(id)) {
        throw settings.error(ComponentKeys.BACKENDS, "ids that differ; " + id + " is there twice");
      }
      backends.add(
          new BackendAddress(
              new Backend(id, weights.get(i)),
              ComponentLists.address(
                  settings, ComponentKeys.BACKENDS, texts.get(i).substring(equals + 1))));
    }
    return backends;
  }

  @Override
  public String name() {
    return "proxy";
  }

  @Override
  public Map<String, Object> start() throws IOException, InterruptedException {
    pool.start();
    pool.install(algorithm, view, seed, loop.nanos());
    return Map.of(
        "ports",
        pool.addresses().stream().map(InetSocketAddress::getPort).toList(),
        "scheduling",
        loop.granted().describe());
  }

  @Override
  public Map<String, Object> obey(String command, JsonNode arguments)
      throws IOException, InterruptedException {
    return switch (command) {
      case "warm" -> {
        pool.warm();
        yield Map.of();
      }
      case "install" -> install(arguments);
      case "log" -> handOver(Path.of(arguments.path("file").asText()));
      default ->
          throw new IllegalArgumentException(
              "do: " + command + " (expected: warm, install or log)");
    };
  }

  private Map<String, Object> install(JsonNode arguments) throws IOException {
    long unitNanos = arguments.path("unit_ns").asLong();
    ConfiguredAlgorithm next = algorithms.parse(arguments.path("algorithm").asText(), unitNanos);
    ViewSpec nextView = ViewSpec.parse(arguments.path("view").asText(), unitNanos);
    int events = arguments.path("events").asInt();
    onLoop(
        () -> {
          // Filled once before it is emptied, so that it need not grow while a clock runs.
          while (log.size() < events) {
            log.append(DispatchLog.Kind.REFRESH, 0, 0, 0, 0);
          }
          // In one step, or copies of the old view would stand among the new one's.
          log.clear();
          pool.install(
              next, nextView, arguments.path("seed").asLong(), arguments.path("epoch_ns").asLong());
          return true;
        });
    return Map.of();
  }

  private Map<String, Object> handOver(Path file) throws IOException {
    long inFlight =
        onLoop(
            () -> {
              DispatchLogFile.write(log, file);
              return pool.truth().total();
            });
    return Map.of("in_flight", inFlight);
  }

  private <T> T onLoop(Callable<T> task) throws IOException {
    try {
      return loop.call(task, BOUND);
    } catch (Exception e) {
      throw new IOException(String.valueOf(e.getMessage()), e);
    }
  }

  @Override
  public Optional<String> loopFailure() {
    return Optional.ofNullable(loop.failure()).map(Throwable::toString);
  }

  @Override
  public void close() {
    pool.close();
    loop.close();
  }
}
