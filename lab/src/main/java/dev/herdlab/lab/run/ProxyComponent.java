package dev.herdlab.lab.run;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.lab.admin.AdminAnswer;
import dev.herdlab.lab.admin.AdminRequest;
import dev.herdlab.lab.admin.AdminResources;
import dev.herdlab.lab.admin.JsonFields;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.lab.metrics.MetricsRegistry;
import dev.herdlab.lab.metrics.ProxyMetrics;
import dev.herdlab.proxy.BackendAddress;
import dev.herdlab.proxy.CountBoard;
import dev.herdlab.proxy.ExchangeListener;
import dev.herdlab.proxy.Installation;
import dev.herdlab.proxy.PoolSettings;
import dev.herdlab.proxy.ProxyPool;
import dev.herdlab.proxy.ProxySettings;
import dev.herdlab.proxy.RequestAttribute;
import dev.herdlab.proxy.Timeouts;
import dev.herdlab.transport.PreciseLoop;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;

/// The proxies as a process: `herdlab proxy`.
///
/// Owner thread: the process's main one; its resources answer on any, and change one thing at a
/// time.
public final class ProxyComponent implements Component {
  private static final Duration BOUND = Duration.ofSeconds(10);

  private final PreciseLoop loop;
  private final ProxyPool pool;
  private final Algorithms algorithms;
  private final DispatchRecorder recorder;
  private final BackendPlaces places;
  // When its backends were replaced last.
  private final AtomicLong updatedNanos;
  private final Optional<ProxyMetrics> metrics;
  private ProxyPlan plan;

  private ProxyComponent(
      PreciseLoop loop,
      ProxyPool pool,
      Algorithms algorithms,
      DispatchRecorder recorder,
      BackendPlaces places,
      AtomicLong updatedNanos,
      Optional<ProxyMetrics> metrics,
      ProxyPlan plan) {
    this.loop = loop;
    this.pool = pool;
    this.algorithms = algorithms;
    this.recorder = recorder;
    this.places = places;
    this.updatedNanos = updatedNanos;
    this.metrics = metrics;
    this.plan = plan;
  }

  /// Of these settings; not listening yet.
  ///
  /// @param registry gets its metrics, if there is one
  /// @throws dev.herdlab.lab.config.ConfigException if they do not fit each other or the system
  static ProxyComponent of(
      Settings settings, Algorithms algorithms, Optional<MetricsRegistry> registry) {
    ProxyPlan plan = ProxyPlan.of(settings, algorithms);
    BackendPlaces.Given given = BackendPlaces.given(settings);
    ProxySettings proxies = proxies(settings, given);
    CountBoard board = Boards.of(settings);
    DispatchRecorder recorder = new DispatchRecorder();
    PreciseLoop loop = ComponentLoop.start("herdlab-proxy", settings);
    Optional<ProxyMetrics> metrics = registry.map(one -> new ProxyMetrics(one, loop));
    ExchangeListener exchanges =
        metrics.<ExchangeListener>map(one -> one).orElse(ExchangeListener.NONE);
    ProxyPool pool = new ProxyPool(loop, proxies, recorder, exchanges, board);
    AtomicLong updatedNanos = new AtomicLong();
    BackendPlaces places =
        BackendPlaces.of(settings, given, next -> updatedNanos.set(update(loop, pool, next)));
    return new ProxyComponent(
        loop, pool, algorithms, recorder, places, updatedNanos, metrics, plan);
  }

  private static long update(PreciseLoop loop, ProxyPool pool, List<BackendAddress> next) {
    return onLoop(
        loop,
        () -> {
          long nowNanos = loop.nanos();
          pool.update(next);
          return nowNanos;
        });
  }

  private static ProxySettings proxies(Settings settings, BackendPlaces.Given given) {
    int instances = settings.get(ComponentKeys.INSTANCES);
    int warm = settings.get(ComponentKeys.POOL_WARM);
    if (warm > settings.get(ComponentKeys.POOL_CAP)) {
      throw settings.error(ComponentKeys.POOL_WARM, "at most pool-cap");
    }
    return ProxySettings.of(settings.get(ComponentKeys.HOST), instances, given.backends())
        .withPorts(
            ComponentLists.each(settings, ComponentKeys.PORTS, instances, "one for each instance"))
        .withPool(new PoolSettings(warm, settings.get(ComponentKeys.POOL_CAP)))
        .withAttempts(AttemptKeys.policy(settings))
        .withKey(ComponentLists.spec(settings, ComponentKeys.KEY, RequestAttribute::parse))
        .withTimeouts(
            Timeouts.DEFAULT
                .withConnect(Duration.ofNanos(settings.get(ComponentKeys.CONNECT_TIMEOUT)))
                .withResponseHead(Duration.ofNanos(settings.get(ComponentKeys.RESPONSE_TIMEOUT)))
                .withProbe(Duration.ofNanos(settings.get(ComponentKeys.PROBE_TIMEOUT))));
  }

  @Override
  public String name() {
    return "proxy";
  }

  @Override
  public PreciseLoop loop() {
    return loop;
  }

  @Override
  public Map<String, Object> start() throws IOException, InterruptedException {
    pool.start();
    install(plan.from(loop.nanos()));
    metrics.ifPresent(one -> one.start(pool::state));
    places.start();
    return Map.of("ports", pool.addresses().stream().map(InetSocketAddress::getPort).toList());
  }

  @Override
  public void addTo(AdminResources resources) {
    resources
        .on("PUT", "/balancer", request -> putBalancer(request.json()))
        .on("PUT", "/algorithm", request -> putPart(request.json().only("algorithm", "seed")))
        .on("PUT", "/view", request -> putPart(request.json().only("view")))
        .on("PUT", "/backends", request -> putBackends(request.json()))
        .on("POST", "/warm", this::warm)
        .on("GET", "/dispatches", request -> dispatches(onLoop(() -> recorder.current().copy())))
        // Nobody writes to it any more.
        .on("GET", "/dispatches/previous", request -> dispatches(onLoop(recorder::previous)));
  }

  @Override
  public synchronized Map<String, Object> state() {
    return ProxyStateFields.of(
        pool.state(), plan, onLoop(() -> recorder.current().filled()), places.name());
  }

  private synchronized AdminAnswer putBalancer(JsonFields fields) {
    install(plan.with(fields));
    return AdminAnswer.json(plan.fields());
  }

  /// The record goes on.
  private synchronized AdminAnswer putPart(JsonFields fields) {
    ProxyPlan next = plan.with(fields);
    Installation installation = installation(next);
    long sinceNanos =
        onLoop(
            () -> {
              long nowNanos = loop.nanos();
              pool.install(installation);
              metrics.ifPresent(one -> one.installed(nowNanos, next.algorithm(), next.view()));
              return nowNanos;
            });
    plan = next;
    Map<String, Object> answer = plan.fields();
    answer.put(BackendComponent.SINCE, sinceNanos);
    return AdminAnswer.json(answer);
  }

  private Installation installation(ProxyPlan next) {
    return new Installation(
        algorithms.parse(next.algorithm(), next.unitNanos()),
        ViewSpec.parse(next.view(), next.unitNanos()),
        next.view(),
        next.seed(),
        next.epochNanos(),
        next.firstProxy(),
        next.proxies(),
        next.phase());
  }

  /// One step on the loop: no event of the old balancers is in the new record, or the other way
  /// round. If the balancers refuse, all stays as it was.
  private synchronized void install(ProxyPlan next) {
    Installation installation = installation(next);
    ProxyPlan.requireRoom(next.recordEvents(), plan.recordEvents());
    DispatchRecorder.Tape empty = new DispatchRecorder.Tape(next.recordEvents());
    boolean _ =
        onLoop(
            () -> {
              DispatchRecorder.Tape before = recorder.previous();
              recorder.begin(empty);
              try {
                pool.install(installation);
              } catch (RuntimeException e) {
                recorder.undo(before);
                throw e;
              }
              metrics.ifPresent(one -> one.installed(loop.nanos(), next.algorithm(), next.view()));
              return true;
            });
    plan = next;
  }

  private AdminAnswer putBackends(JsonFields fields) {
    places.put(fields.only("backends", "weights"));
    Map<String, Object> answer = ProxyStateFields.backends(pool.state(), places.name());
    answer.put(BackendComponent.SINCE, updatedNanos.get());
    return AdminAnswer.json(answer);
  }

  private AdminAnswer warm(AdminRequest request) throws IOException, InterruptedException {
    pool.warm();
    return AdminAnswer.json(Map.of());
  }

  private AdminAnswer dispatches(DispatchRecorder.Tape tape) throws IOException {
    return Dispatches.answer(tape, pool.state().inFlight());
  }

  private <T> T onLoop(Callable<T> task) {
    return onLoop(loop, task);
  }

  private static <T> T onLoop(PreciseLoop loop, Callable<T> task) {
    try {
      return loop.call(task, BOUND);
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void drain(Duration bound) throws InterruptedException {
    pool.drain(bound);
  }

  @Override
  public void close() {
    places.close();
    metrics.ifPresent(ProxyMetrics::close);
    pool.close();
    loop.close();
  }
}
