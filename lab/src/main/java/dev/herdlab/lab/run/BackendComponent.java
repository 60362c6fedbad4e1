package dev.herdlab.lab.run;

import dev.herdlab.lab.admin.AdminAnswer;
import dev.herdlab.lab.admin.AdminException;
import dev.herdlab.lab.admin.AdminRequest;
import dev.herdlab.lab.admin.AdminResources;
import dev.herdlab.lab.admin.JsonFields;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.lab.metrics.BackendMetrics;
import dev.herdlab.lab.metrics.MetricsRegistry;
import dev.herdlab.stub.Deadlines;
import dev.herdlab.stub.Engine;
import dev.herdlab.stub.ServiceListener;
import dev.herdlab.stub.StubBackend;
import dev.herdlab.stub.StubChange;
import dev.herdlab.stub.StubPool;
import dev.herdlab.stub.StubSettings;
import dev.herdlab.stub.StubState;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.wiremock.WireMockEngine;
import dev.herdlab.wiremock.WireMockSettings;
import dev.herdlab.workload.BackendFault;
import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.ServiceLaw;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;

/// The stub backends as a process: `herdlab backend`.
///
/// Owner thread: the process's main one; its resources answer on any.
public final class BackendComponent implements Component {
  /// Field of the answer to a change: the instant on the process's clock from which it holds.
  static final String SINCE = "since_ns";

  private static final long POLL_NANOS = 5_000_000;

  private final PreciseLoop loop;
  private final StubPool pool;
  private final Optional<BackendMetrics> metrics;

  private BackendComponent(PreciseLoop loop, StubPool pool, Optional<BackendMetrics> metrics) {
    this.loop = loop;
    this.pool = pool;
    this.metrics = metrics;
  }

  /// Of these settings; not listening yet.
  ///
  /// @param registry gets its metrics, if there is one
  /// @throws dev.herdlab.lab.config.ConfigException if they do not fit each other or the system
  static BackendComponent of(Settings settings, Optional<MetricsRegistry> registry) {
    int count = settings.get(ComponentKeys.COUNT);
    StubSettings stub =
        new StubSettings(
            settings.get(ComponentKeys.HOST),
            backends(settings, count),
            ComponentLists.spec(settings, ComponentKeys.SERVICE, ServiceLaw::parse),
            settings.get(ComponentKeys.UNIT),
            settings.get(ComponentKeys.SEED),
            settings.get(ComponentKeys.BODY_BYTES),
            queueing(settings),
            StubSettings.DEFAULT_READ_AHEAD_BYTES,
            Deadlines.IDEAL);
    Engine engine = engine(settings);
    PreciseLoop loop = ComponentLoop.start("herdlab-backend", settings);
    Optional<BackendMetrics> metrics = registry.map(one -> new BackendMetrics(one, loop));
    ServiceListener listener =
        metrics.<ServiceListener>map(one -> one).orElse(ServiceListener.NONE);
    return new BackendComponent(loop, new StubPool(loop, stub, engine, listener), metrics);
  }

  private static Queueing queueing(Settings settings) {
    int servers = settings.get(ComponentKeys.SERVERS);
    int limit = settings.get(ComponentKeys.QUEUE_LIMIT);
    if (limit < servers) {
      throw settings.error(
          ComponentKeys.QUEUE_LIMIT, "at least as many as the servers, " + servers);
    }
    return new Queueing(settings.get(ComponentKeys.DISCIPLINE), servers, limit);
  }

  private static List<StubBackend> backends(Settings settings, int count) {
    String name = settings.get(ComponentKeys.NAME);
    try {
      return StubBackend.series(
          name.equals("host") ? HostName.read() + "-" : name,
          ComponentLists.each(settings, ComponentKeys.PORTS, count, "one for each backend"),
          ComponentLists.each(settings, ComponentKeys.SPEEDS, count, "one for each backend"));
    } catch (IllegalArgumentException e) {
      throw settings.error(ComponentKeys.NAME, "printable ASCII without spaces and commas");
    }
  }

  private static Engine engine(Settings settings) {
    boolean wiremock = settings.get(ComponentKeys.ENGINE).equals("wiremock");
    if (wiremock && settings.find(ComponentKeys.WIREMOCK_ROOT).isEmpty()) {
      throw settings.error(ComponentKeys.ENGINE, "with wiremock-root, the folder of its mappings");
    }
    return wiremock
        ? new WireMockEngine(WireMockSettings.of(settings.get(ComponentKeys.WIREMOCK_ROOT)))
        : Engine.fixed(settings.get(ComponentKeys.BODY_BYTES));
  }

  @Override
  public String name() {
    return "backend";
  }

  @Override
  public PreciseLoop loop() {
    return loop;
  }

  @Override
  public Map<String, Object> start() throws IOException {
    pool.start();
    metrics.ifPresent(one -> one.start(pool::state));
    return Map.of("ports", pool.addresses().stream().map(InetSocketAddress::getPort).toList());
  }

  @Override
  public void addTo(AdminResources resources) {
    resources
        .on("PUT", "/service", this::putService)
        .on("PUT", "/speeds", this::putSpeeds)
        .on("PUT", "/faults", this::putFaults);
  }

  @Override
  public Map<String, Object> state() {
    StubState now = pool.state();
    Map<String, Object> state = new LinkedHashMap<>();
    state.put("service", now.service());
    state.put("unit_ns", now.unitNanos());
    state.put("in_flight", now.inFlight());
    state.put("backends", now.backends().stream().map(BackendComponent::fields).toList());
    Map<String, String> faults = new LinkedHashMap<>();
    now.backends().forEach(backend -> faults.put(backend.id(), backend.fault().spec()));
    state.put("faults", faults);
    return state;
  }

  private static Map<String, Object> fields(StubState.Backend backend) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", backend.id());
    fields.put("port", backend.port());
    fields.put("speed", backend.speed());
    fields.put("in_flight", backend.inFlight());
    fields.put("served", backend.served());
    fields.put("refused", backend.refused());
    fields.put("cancelled", backend.cancelled());
    fields.put("busy_ns", backend.busyNanos());
    return fields;
  }

  private AdminAnswer putService(AdminRequest request) {
    JsonFields fields = request.json().only("service", "unit_ns");
    OptionalLong unitNanos =
        fields.has("unit_ns")
            ? OptionalLong.of(fields.whole("unit_ns", 1, Long.MAX_VALUE))
            : OptionalLong.empty();
    return change(new StubChange.Service(ServiceLaw.parse(fields.text("service")), unitNanos));
  }

  private AdminAnswer putSpeeds(AdminRequest request) {
    JsonFields fields = request.json();
    Map<String, Double> speeds = new LinkedHashMap<>();
    if (fields.names().equals(List.of("speeds"))) {
      List<StubState.Backend> backends = pool.state().backends();
      List<Double> list = fields.positives("speeds");
      if (list.size() != backends.size()) {
        throw new IllegalArgumentException(
            "speeds: %d of them (expected: %d, one for each backend)"
                .formatted(list.size(), backends.size()));
      }
      for (int i = 0; i < list.size(); i++) {
        speeds.put(backends.get(i).id(), list.get(i));
      }
    } else {
      fields.names().forEach(id -> speeds.put(id, fields.positive(id)));
    }
    return change(new StubChange.Speeds(speeds));
  }

  private AdminAnswer putFaults(AdminRequest request) {
    JsonFields fields = request.json();
    Map<String, BackendFault> faults = new LinkedHashMap<>();
    fields.names().forEach(id -> faults.put(id, BackendFault.parse(fields.text(id))));
    return change(new StubChange.Faults(faults));
  }

  private AdminAnswer change(StubChange change) {
    long sinceNanos;
    try {
      sinceNanos = pool.change(change);
    } catch (IllegalStateException e) {
      throw AdminException.conflict(String.valueOf(e.getMessage()));
    }
    Map<String, Object> state = state();
    state.put(SINCE, sinceNanos);
    return AdminAnswer.json(state);
  }

  /// It goes on serving: who sends to it does not know yet that it ends.
  @Override
  public void drain(Duration bound) throws InterruptedException {
    long since = loop.nanos();
    while (pool.inFlight() > 0 && loop.nanos() - since < bound.toNanos()) {
      TimeUnit.NANOSECONDS.sleep(POLL_NANOS);
    }
  }

  @Override
  public void close() {
    metrics.ifPresent(BackendMetrics::close);
    pool.close();
    loop.close();
  }
}
