package dev.herdlab.lab.run;

import dev.herdlab.dns.DiscoveryTarget;
import dev.herdlab.dns.Member;
import dev.herdlab.lab.admin.AdminAnswer;
import dev.herdlab.lab.admin.AdminRequest;
import dev.herdlab.lab.admin.AdminResources;
import dev.herdlab.lab.admin.JsonFields;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.lab.metrics.GeneratorMetrics;
import dev.herdlab.lab.metrics.MetricsRegistry;
import dev.herdlab.loadgen.Generator;
import dev.herdlab.loadgen.GeneratorSettings;
import dev.herdlab.loadgen.GeneratorState;
import dev.herdlab.loadgen.Progress;
import dev.herdlab.loadgen.ProxyChoice;
import dev.herdlab.loadgen.RequestListener;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The load generator as a process: `herdlab loadgen`. With an admin port it sends what it is told
/// to; without, what its settings say.
///
/// Owner thread: the process's main one; its resources answer on any.
public final class GeneratorComponent implements Component {
  // The first requests are not to be late already.
  private static final long LEAD_NANOS = 100_000_000;
  private static final long GRACE_NANOS = 10_000_000_000L;
  private static final long POLL_NANOS = 5_000_000;
  private static final Duration FIRST_ANSWER_BOUND = Duration.ofSeconds(30);

  private final PreciseLoop loop;
  private final Generator generator;
  private final Settings settings;
  private final Optional<GeneratorMetrics> metrics;
  private final GeneratorRuns runs;
  private final Discovered discovered;
  private final CountDownLatch found = new CountDownLatch(1);
  private volatile List<InetSocketAddress> proxies;
  private volatile double rate = 1;

  private GeneratorComponent(
      PreciseLoop loop,
      Generator generator,
      Settings settings,
      Optional<GeneratorMetrics> metrics,
      List<InetSocketAddress> proxies) {
    this.loop = loop;
    this.generator = generator;
    this.settings = settings;
    this.metrics = metrics;
    this.runs = new GeneratorRuns(generator, metrics);
    this.proxies = proxies;
    this.discovered = Discovered.of(settings, this::found);
  }

  /// Of these settings; without connections.
  ///
  /// @param registry gets its metrics, if there is one
  /// @throws dev.herdlab.lab.config.ConfigException if they do not fit each other or the system
  static GeneratorComponent of(Settings settings, Optional<MetricsRegistry> registry) {
    List<InetSocketAddress> proxies = name(settings).isPresent() ? List.of() : given(settings);
    if (settings.get(ComponentKeys.CONNECTIONS) > settings.get(ComponentKeys.CONNECTION_LIMIT)) {
      throw settings.error(ComponentKeys.CONNECTIONS, "at most connection-limit");
    }
    GeneratorSettings generator =
        GeneratorSettings.of(proxies, settings.get(ComponentKeys.CONNECTIONS))
            .withConnectionLimit(settings.get(ComponentKeys.CONNECTION_LIMIT))
            .withTimeouts(
                GeneratorSettings.DEFAULT_CONNECT_TIMEOUT,
                Duration.ofNanos(settings.get(ComponentKeys.REQUEST_TIMEOUT)),
                GeneratorSettings.DEFAULT_STOP_TIMEOUT)
            .withLimit(settings.get(ComponentKeys.TIMEOUT).orElse(GeneratorSettings.UNLIMITED));
    OwnLoad.check(settings);
    PreciseLoop loop = ComponentLoop.start("herdlab-loadgen", settings);
    Optional<GeneratorMetrics> metrics = registry.map(one -> new GeneratorMetrics(one, loop));
    RequestListener listener =
        metrics.<RequestListener>map(one -> one).orElse(RequestListener.NONE);
    return new GeneratorComponent(
        loop,
        new Generator(loop, generator, ProxyChoice.PLANNED, listener),
        settings,
        metrics,
        proxies);
  }

  /// The name that stands for the proxies; empty where they are listed.
  private static Optional<DiscoveryTarget> name(Settings settings) {
    List<String> texts = settings.list(ComponentKeys.PROXIES);
    if (texts.stream().noneMatch(DiscoveryTarget::isOne)) {
      return Optional.empty();
    }
    if (texts.size() > 1) {
      throw settings.error(ComponentKeys.PROXIES, "one name alone, or addresses");
    }
    return Optional.of(
        ComponentLists.spec(settings, ComponentKeys.PROXIES, DiscoveryTarget::parse));
  }

  private static List<InetSocketAddress> given(Settings settings) {
    return settings.list(ComponentKeys.PROXIES).stream()
        .map(text -> ComponentLists.address(settings, ComponentKeys.PROXIES, text))
        .toList();
  }

  private void found(List<Member> members) {
    set(members.stream().map(Member::address).toList());
    if (!members.isEmpty()) {
      found.countDown();
    }
  }

  private synchronized void set(List<InetSocketAddress> addresses) {
    generator.setProxies(addresses);
    proxies = addresses;
  }

  @Override
  public String name() {
    return "loadgen";
  }

  @Override
  public PreciseLoop loop() {
    return loop;
  }

  @Override
  public Map<String, Object> start() {
    metrics.ifPresent(one -> one.start(generator::state));
    name(settings).ifPresent(discovered::follow);
    return Map.of();
  }

  @Override
  public void addTo(AdminResources resources) {
    resources
        .on("PUT", "/proxies", request -> putProxies(request.json().only("proxies")))
        .on("POST", "/connect", this::connect)
        .on("PUT", "/rate", this::putRate);
    runs.addTo(resources);
  }

  @Override
  public Map<String, Object> state() {
    GeneratorState now = generator.state();
    Map<String, Object> state = new LinkedHashMap<>();
    state.putAll(proxyFields());
    state.put("connections", now.connections());
    state.put("scheduled", now.scheduled());
    state.put("sent", now.sent());
    state.put("ended", now.ended());
    state.put("in_flight", now.inFlight());
    state.put("rate_per_second", now.ratePerSecond());
    state.put("rate_factor", rate);
    state.put("runs", runs.fields());
    return state;
  }

  private Map<String, Object> proxyFields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("proxies", proxies.stream().map(ProxyStateFields::written).toList());
    discovered.name().ifPresent(name -> fields.put("proxies_name", name));
    return fields;
  }

  private AdminAnswer putProxies(JsonFields fields) {
    if (fields.isText("proxies")) {
      discovered.follow(ComponentLists.target("proxies", fields.text("proxies")));
    } else {
      List<InetSocketAddress> addresses =
          fields.texts("proxies").stream()
              .map(
                  text ->
                      ComponentLists.address(text, 1)
                          .orElseThrow(
                              () ->
                                  new IllegalArgumentException(
                                      "proxies: "
                                          + text
                                          + " (expected: HOST:PORT of a known host)")))
              .toList();
      discovered.stop();
      set(addresses);
    }
    return AdminAnswer.json(proxyFields());
  }

  private AdminAnswer connect(AdminRequest request) throws IOException {
    generator.connect();
    return AdminAnswer.json(Map.of("connections", generator.state().connections()));
  }

  private AdminAnswer putRate(AdminRequest request) {
    double factor = request.json().only("factor").positive("factor");
    generator.setRate(factor);
    rate = factor;
    return AdminAnswer.json(Map.of("factor", factor));
  }

  /// Sends the requests that the settings describe and waits for their end.
  Components.Sent sendOwn() throws IOException, InterruptedException {
    if (name(settings).isPresent()) {
      name(settings).ifPresent(discovered::follow);
      if (!found.await(FIRST_ANSWER_BOUND.toNanos(), TimeUnit.NANOSECONDS)) {
        throw new IOException(
            "proxies: %s: nobody within %d s"
                .formatted(settings.get(ComponentKeys.PROXIES), FIRST_ANSWER_BOUND.toSeconds()));
      }
      // A trace is for so many proxies: those of now.
      discovered.stop();
    }
    Trace trace = OwnLoad.trace(settings, proxies.size());
    generator.connect();
    CompletableFuture<RunLog> run = generator.run(trace, loop.nanos() + LEAD_NANOS, Progress.NONE);
    // Every request fails in time: what is not over long after that never will be.
    long bound =
        LEAD_NANOS
            + trace.lastIntendedNanos()
            + 2 * settings.get(ComponentKeys.REQUEST_TIMEOUT)
            + GRACE_NANOS;
    try {
      return new Components.Sent(trace, run.get(bound, TimeUnit.NANOSECONDS));
    } catch (ExecutionException e) {
      throw new IOException("run: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new IOException("run: not over within " + bound / 1_000_000_000 + " s", e);
    }
  }

  @Override
  public void drain(Duration bound) throws InterruptedException {
    generator.stop();
    long since = loop.nanos();
    while (generator.state().runs() > 0 && loop.nanos() - since < bound.toNanos()) {
      TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
    }
  }

  @Override
  public void close() {
    discovered.close();
    metrics.ifPresent(GeneratorMetrics::close);
    generator.close();
    loop.close();
  }
}
