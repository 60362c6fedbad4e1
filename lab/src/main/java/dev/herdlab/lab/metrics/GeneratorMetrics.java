package dev.herdlab.lab.metrics;

import dev.herdlab.loadgen.GeneratorState;
import dev.herdlab.loadgen.RequestListener;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.workload.RunLog;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/// What the load generator tells: what the clients see, and how well the schedule is kept.
///
/// Given to the generator as its listener, then started with its state. Owner thread: any, but for
/// the listener's methods, which are the loop's.
public final class GeneratorMetrics implements RequestListener, AutoCloseable {
  private static final Declaration REQUESTS =
      Declaration.counter(
          "herdlab_loadgen_requests_total",
          "requests",
          "Requests that have ended, by the proxy that they were sent to and by how: ok, or the"
              + " cause of a failure.",
          "proxy",
          "outcome");
  private static final Declaration SENT =
      Declaration.counter(
          "herdlab_loadgen_sent_total", "requests", "Requests whose turn to be sent has come.");
  private static final Declaration SCHEDULED =
      Declaration.counter(
          "herdlab_loadgen_scheduled_total",
          "requests",
          "Requests whose intended instant has passed. The generator is behind by as many as this"
              + " is above herdlab_loadgen_sent_total.");
  private static final Declaration LATENCY =
      Declaration.histogram(
          "herdlab_loadgen_latency_seconds",
          "Latency of the requests that succeeded: from the intended send instant to the last byte"
              + " of the response, by the algorithm and the view of their run.",
          "algorithm",
          "view");
  private static final Declaration SEND_LAG =
      Declaration.histogram(
          "herdlab_loadgen_send_lag_seconds", "The actual send instant minus the intended one.");
  private static final Declaration IN_FLIGHT =
      Declaration.gauge(
          "herdlab_loadgen_in_flight", "requests", "Requests that were sent and have not ended.");
  private static final Declaration RATE =
      Declaration.gauge(
          "herdlab_loadgen_rate",
          "requests a second",
          "What the runs that send now plan to send a second, on average over each.");

  private static final int SENT_EVENT = 0;
  private static final int ENDED_EVENT = 1;
  private static final double NANOS_PER_SECOND = 1e9;
  // More than a generator runs at once, so that a run that is over but for a few is still known.
  private static final int KNOWN_RUNS = 64;
  private static final int UNKNOWN_RUN = -1;

  private final MetricsRegistry registry;
  private final LoopFeed feed;
  private final Names outcomes = new Names();
  private final Series requests;
  private final Series sent;
  private final Series scheduled;
  private final Series inFlight;
  private final Series rate;
  private final Histogram latency;
  private final Histogram sendLag;
  private final RecentPairs recent;
  private final Map<Integer, Pair> pairs = new LinkedHashMap<>();
  private int labelled;
  // By a run's id its number; replaced as a whole.
  private volatile Map<String, Integer> runs = Map.of();

  /// Adds the metrics to a registry.
  public GeneratorMetrics(MetricsRegistry registry, PreciseLoop loop) {
    this.registry = registry;
    feed = new LoopFeed(registry, loop, this::read);
    requests = registry.series(REQUESTS);
    sent = registry.series(SENT);
    scheduled = registry.series(SCHEDULED);
    inFlight = registry.series(IN_FLIGHT);
    rate = registry.series(RATE);
    latency = registry.histogram(LATENCY, Buckets.LATENCY);
    sendLag = registry.histogram(SEND_LAG, Buckets.OVERHEAD);
    recent = new RecentPairs(gone -> latency.remove(gone.algorithm(), gone.view()));
  }

  static List<Declaration> declared() {
    return List.of(REQUESTS, SENT, SCHEDULED, LATENCY, SEND_LAG, IN_FLIGHT, RATE);
  }

  /// Starts to read; once, before the first scrape.
  ///
  /// @param state asked on the loop
  public void start(Supplier<GeneratorState> state) {
    registry.beforeScrape(() -> refresh(state));
    feed.start();
  }

  /// Says what a run is for, before it begins: its latencies are kept under these labels. Those of
  /// a run without labels, such as a burn-in, are not kept.
  public void label(String run, String algorithm, String view) {
    registry.update(
        () -> {
          Pair pair = new Pair(algorithm, view);
          recent.use(pair);
          int number = labelled++;
          pairs.put(number, pair);
          pairs.remove(number - KNOWN_RUNS);
          Map<String, Integer> known = new LinkedHashMap<>(runs);
          known.values().removeIf(old -> old <= number - KNOWN_RUNS);
          known.put(run, number);
          runs = Map.copyOf(known);
        });
  }

  @Override
  public void sent(int proxy, long intendedNanos, long sentNanos) {
    feed.batches().add(SENT_EVENT, proxy, 0, 0, intendedNanos, sentNanos, 0, 0);
  }

  @Override
  public void ended(
      int proxy, String outcome, long intendedNanos, long sentNanos, long doneNanos, String run) {
    Integer number = runs.get(run);
    feed.batches()
        .add(
            ENDED_EVENT,
            proxy,
            outcomes.number(outcome),
            number == null ? UNKNOWN_RUN : number,
            intendedNanos,
            sentNanos,
            doneNanos,
            0);
  }

  private void read(
      int kind,
      int proxy,
      int outcome,
      int run,
      long intendedNanos,
      long sentNanos,
      long doneNanos,
      long unused) {
    if (kind == SENT_EVENT) {
      sendLag.observe((sentNanos - intendedNanos) / NANOS_PER_SECOND);
      return;
    }
    String how = outcomes.name(outcome);
    requests.add(1, label(proxy), how);
    Pair pair = pairs.get(run);
    if (pair != null && recent.has(pair) && how.equals(RunLog.OK)) {
      latency
          .labelValues(pair.algorithm(), pair.view())
          .observe((doneNanos - intendedNanos) / NANOS_PER_SECOND);
    }
  }

  private void refresh(Supplier<GeneratorState> state) {
    Optional<GeneratorState> now = feed.ask(state);
    // First, so that the last request of what has left is shown by this scrape.
    feed.drain();
    now.ifPresent(this::show);
  }

  private void show(GeneratorState state) {
    sent.set(state.sent());
    scheduled.set(state.scheduled());
    inFlight.set(state.inFlight());
    rate.set(state.ratePerSecond());
    requests.keep(labels -> isAlive(labels.getFirst(), state.proxies()));
  }

  private static String label(int proxy) {
    return Integer.toString(proxy);
  }

  private static boolean isAlive(String proxy, int proxies) {
    return Integer.parseInt(proxy) < proxies;
  }

  @Override
  public void close() {
    feed.close();
  }
}
