package dev.herdlab.lab.metrics;

import dev.herdlab.stub.ServiceListener;
import dev.herdlab.stub.StubState;
import dev.herdlab.transport.PreciseLoop;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.List;
import java.util.function.Supplier;

/// What a process of stub backends tells: how long requests wait and are served, and how exact the
/// deadlines are.
///
/// Given to the backends as their listener, then started with their state. Owner thread: any, but
/// for the listener's methods, which are the loop's.
public final class BackendMetrics implements ServiceListener, AutoCloseable {
  private static final Declaration REQUESTS =
      Declaration.counter(
          "herdlab_backend_requests_total",
          "requests",
          "Requests by how they ended at the backend: served, refused (queue full, not acceptable,"
              + " or a fault that was asked for) or cancelled.",
          "backend",
          "outcome");
  private static final Declaration IN_FLIGHT =
      Declaration.gauge(
          "herdlab_backend_in_flight",
          "requests",
          "Requests that wait or are in service, as the backend counts them.",
          "backend");
  private static final Declaration WAIT =
      Declaration.histogram(
          "herdlab_backend_wait_seconds",
          "From a request's arrival at the backend to the ideal start of its service.",
          "backend");
  private static final Declaration SERVICE =
      Declaration.histogram(
          "herdlab_backend_service_seconds",
          "Service times as they were: the law's, divided by the backend's speed.",
          "backend");
  private static final Declaration LATENESS =
      Declaration.histogram(
          "herdlab_backend_lateness_seconds",
          "From the ideal end of a service to the instant at which its response was written.");
  private static final Declaration BUSY =
      Declaration.counter(
          "herdlab_backend_busy_seconds_total",
          "seconds",
          "Time for which the backend has served. Its rate is the utilisation.",
          "backend");
  private static final Declaration SPEED =
      Declaration.gauge(
          "herdlab_backend_speed",
          "units of work a unit of time",
          "How fast the backend serves; 1 unless it was asked otherwise.",
          "backend");

  private static final int SERVED = 0;
  private static final double NANOS_PER_SECOND = 1e9;

  private final MetricsRegistry registry;
  private final LoopFeed feed;
  private final Series requests;
  private final Series inFlight;
  private final Series busy;
  private final Series speed;
  private final Histogram wait;
  private final Histogram service;
  private final Histogram lateness;
  // Of the backends, in the order of their numbers.
  private List<String> ids = List.of();

  /// Adds the metrics to a registry.
  public BackendMetrics(MetricsRegistry registry, PreciseLoop loop) {
    this.registry = registry;
    feed = new LoopFeed(registry, loop, this::read);
    requests = registry.series(REQUESTS);
    inFlight = registry.series(IN_FLIGHT);
    busy = registry.series(BUSY);
    speed = registry.series(SPEED);
    wait = registry.histogram(WAIT, Buckets.LATENCY);
    service = registry.histogram(SERVICE, Buckets.LATENCY);
    lateness = registry.histogram(LATENESS, Buckets.OVERHEAD);
  }

  static List<Declaration> declared() {
    return List.of(REQUESTS, IN_FLIGHT, WAIT, SERVICE, LATENESS, BUSY, SPEED);
  }

  /// Starts to read; once, before the first scrape.
  ///
  /// @param state asked on the loop
  public void start(Supplier<StubState> state) {
    // Events name backends by numbers, so their ids are needed first.
    registry.update(() -> refresh(state));
    registry.beforeScrape(() -> refresh(state));
    feed.start();
  }

  @Override
  public void served(
      int backend, long receivedNanos, long startNanos, long finishNanos, long deliveredNanos) {
    feed.batches()
        .add(SERVED, backend, 0, 0, receivedNanos, startNanos, finishNanos, deliveredNanos);
  }

  @Override
  public void refused(int backend) {
    // Counted in the state.
  }

  @Override
  public void cancelled(int backend) {
    // Counted in the state.
  }

  private void read(
      int kind, int backend, int b, int c, long received, long start, long finish, long delivered) {
    String id = backend < ids.size() ? ids.get(backend) : Names.OTHER;
    wait.labelValues(id).observe((start - received) / NANOS_PER_SECOND);
    service.labelValues(id).observe((finish - start) / NANOS_PER_SECOND);
    lateness.observe((delivered - finish) / NANOS_PER_SECOND);
  }

  private void refresh(Supplier<StubState> state) {
    feed.ask(state).ifPresent(this::show);
    feed.drain();
  }

  private void show(StubState state) {
    ids = state.backends().stream().map(StubState.Backend::id).toList();
    for (StubState.Backend backend : state.backends()) {
      String id = backend.id();
      requests.set(backend.served(), id, "served");
      requests.set(backend.refused(), id, "refused");
      requests.set(backend.cancelled(), id, "cancelled");
      inFlight.set(backend.inFlight(), id);
      busy.set(backend.busyNanos() / NANOS_PER_SECOND, id);
      speed.set(backend.speed(), id);
    }
  }

  @Override
  public void close() {
    feed.close();
  }
}
