package dev.herdlab.lab.metrics;

import dev.herdlab.balancer.AttemptCounts;
import dev.herdlab.proxy.CountBoard;
import dev.herdlab.proxy.ExchangeListener;
import dev.herdlab.proxy.ProxyState;
import dev.herdlab.transport.PreciseLoop;
import io.prometheus.metrics.core.metrics.Histogram;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/// What a process of proxies tells: how long requests take, where they go, and what each balancer
/// sees.
///
/// Given to the proxies as their listener, then started with their state; it hears of each switch,
/// so that a request counts for the algorithm and the view that picked for it. Owner thread: any,
/// but for [#installed] and the listener's methods, which are the loop's.
public final class ProxyMetrics implements ExchangeListener, AutoCloseable {
  private static final String PROXY = "proxy";
  private static final String BACKEND = "backend";
  private static final String ALGORITHM = "algorithm";
  private static final String VIEW = "view";

  private static final Declaration REQUESTS =
      Declaration.counter(
          "herdlab_proxy_requests_total",
          "requests",
          "Requests that have ended, by the backend that was picked (empty if none was) and by how:"
              + " ok, the cause of a failure, or cancelled.",
          PROXY,
          BACKEND,
          "outcome");
  private static final Declaration LATENCY =
      Declaration.histogram(
          "herdlab_proxy_latency_seconds",
          "From a request's head, read by the proxy, to the last byte from the backend, of those"
              + " that succeeded, by the algorithm and the view that picked.",
          PROXY,
          ALGORITHM,
          VIEW);
  private static final Declaration PICK =
      Declaration.histogram(
          "herdlab_proxy_pick_seconds", "From a request's arrival to its pick.", PROXY);
  private static final Declaration IN_FLIGHT =
      Declaration.gauge(
          "herdlab_proxy_in_flight",
          "requests",
          "Requests picked and not completed, as this proxy counts its own.",
          PROXY,
          BACKEND);
  private static final Declaration VIEW_IN_FLIGHT =
      Declaration.gauge(
          "herdlab_proxy_view_in_flight",
          "requests",
          "Requests in flight as this proxy's balancer sees them through its view.",
          PROXY,
          BACKEND);
  private static final Declaration VIEW_AGE =
      Declaration.gauge(
          "herdlab_proxy_view_age_seconds",
          "seconds",
          "How long ago the counts in the view were true; 0 if it is always fresh.",
          PROXY);
  private static final Declaration VIEW_REFRESH =
      Declaration.gauge(
          "herdlab_proxy_view_refresh_seconds",
          "seconds",
          "The refresh interval that the view is to have; 0 if it is always fresh.",
          PROXY);
  private static final Declaration VIEW_REFRESHES =
      Declaration.counter(
          "herdlab_proxy_view_refreshes_total",
          "refreshes",
          "Copies of the true counts that the view has taken; begins anew with each switch.",
          PROXY);
  private static final Declaration ATTEMPTS =
      Declaration.counter(
          "herdlab_proxy_attempts_total",
          "attempts",
          "Attempts that requests took: first, retry or hedge; of the hedges those that won"
              + " (hedge-won); and retries that the budget refused (over-budget).",
          PROXY,
          "kind");
  private static final Declaration BOARD =
      Declaration.gauge(
          "herdlab_proxy_board_connected",
          "",
          "1 if the board of shared counts can be reached, else 0; memory always can.",
          "kind");
  private static final Declaration INFO =
      Declaration.gauge(
          "herdlab_proxy_algorithm_info",
          "",
          "1, with what picks now and the name of the phase; one series a proxy.",
          PROXY,
          ALGORITHM,
          VIEW,
          "phase");
  private static final Declaration SWITCHES =
      Declaration.counter(
          "herdlab_proxy_switches_total",
          "switches",
          "Balancers that were installed, the first included.",
          PROXY);
  private static final Declaration BACKENDS =
      Declaration.gauge(
          "herdlab_proxy_backends", "backends", "Backends that the proxy may pick.", PROXY);
  private static final Declaration CONNECTIONS =
      Declaration.gauge(
          "herdlab_proxy_connections",
          "connections",
          "Open connections: from clients, and to backends.",
          "side");

  // Of requests that were picked before any switch was heard of.
  private static final Pair UNKNOWN = new Pair(Names.OTHER, Names.OTHER);
  private static final int ENDED_EVENT = 0;
  private static final int INSTALLED_EVENT = 1;
  // A request that has waited through more switches than this counts for the oldest known.
  private static final int KNOWN_INSTALLS = 16;
  private static final double NANOS_PER_SECOND = 1e9;

  private final MetricsRegistry registry;
  private final LoopFeed feed;
  private final Names names = new Names();
  private final Series requests;
  private final Series inFlight;
  private final Series viewInFlight;
  private final Series viewAge;
  private final Series viewRefresh;
  private final Series viewRefreshes;
  private final Series attempts;
  private final Series board;
  private final Series info;
  private final Series switches;
  private final Series backends;
  private final Series connections;
  private final SignalSeries signals;
  // All that the state sets anew each time, so that what it no longer names is gone.
  private final List<Series> bounded;
  private final Histogram latency;
  private final Histogram pick;
  private final RecentPairs recent;
  private final Deque<Install> installs = new ArrayDeque<>();

  /// From `nanos` on this pair picks.
  private record Install(long nanos, Pair pair) {}

  /// Adds the metrics to a registry.
  public ProxyMetrics(MetricsRegistry registry, PreciseLoop loop) {
    this.registry = registry;
    feed = new LoopFeed(registry, loop, this::read);
    requests = registry.series(REQUESTS);
    inFlight = registry.series(IN_FLIGHT);
    viewInFlight = registry.series(VIEW_IN_FLIGHT);
    viewAge = registry.series(VIEW_AGE);
    viewRefresh = registry.series(VIEW_REFRESH);
    viewRefreshes = registry.series(VIEW_REFRESHES);
    attempts = registry.series(ATTEMPTS);
    board = registry.series(BOARD);
    info = registry.series(INFO);
    switches = registry.series(SWITCHES);
    backends = registry.series(BACKENDS);
    connections = registry.series(CONNECTIONS);
    signals = new SignalSeries(registry);
    bounded = new ArrayList<>(signals.all());
    bounded.addAll(
        List.of(
            inFlight,
            viewInFlight,
            viewAge,
            viewRefresh,
            viewRefreshes,
            attempts,
            board,
            info,
            switches,
            backends));
    latency = registry.histogram(LATENCY, Buckets.LATENCY);
    pick = registry.histogram(PICK, Buckets.OVERHEAD);
    recent = new RecentPairs(gone -> latency.removeIf(labels -> gone.isIn(List.copyOf(labels))));
  }

  static List<Declaration> declared() {
    List<Declaration> all =
        new ArrayList<>(
            List.of(
                REQUESTS,
                LATENCY,
                PICK,
                IN_FLIGHT,
                VIEW_IN_FLIGHT,
                VIEW_AGE,
                VIEW_REFRESH,
                VIEW_REFRESHES,
                ATTEMPTS,
                BOARD,
                INFO,
                SWITCHES,
                BACKENDS,
                CONNECTIONS));
    all.addAll(SignalSeries.declared());
    return all;
  }

  /// Starts to read; once, before the first scrape.
  ///
  /// @param state asked on the loop
  public void start(Supplier<ProxyState> state) {
    registry.beforeScrape(() -> refresh(state));
    feed.start();
  }

  /// A pair has been installed at all proxies: it picks for requests from now on. On the loop.
  public void installed(long nanos, String algorithm, String view) {
    feed.batches()
        .add(INSTALLED_EVENT, names.number(algorithm), names.number(view), 0, nanos, 0, 0, 0);
  }

  @Override
  public void ended(
      int proxy,
      String backend,
      String outcome,
      long receivedNanos,
      long pickedNanos,
      long endedNanos) {
    feed.batches()
        .add(
            ENDED_EVENT,
            proxy,
            names.number(backend),
            names.number(outcome),
            receivedNanos,
            pickedNanos,
            endedNanos,
            0);
  }

  private void read(int kind, int a, int b, int c, long t, long u, long v, long unused) {
    if (kind == INSTALLED_EVENT) {
      install(t, new Pair(names.name(a), names.name(b)));
    } else {
      ended(Integer.toString(a), names.name(b), names.name(c), t, u, v);
    }
  }

  private void install(long nanos, Pair pair) {
    recent.use(pair);
    installs.addLast(new Install(nanos, pair));
    if (installs.size() > KNOWN_INSTALLS) {
      installs.removeFirst();
    }
  }

  private void ended(
      String proxy, String backend, String outcome, long received, long picked, long ended) {
    requests.add(1, proxy, backend, outcome);
    if (backend.isEmpty()) {
      return;
    }
    pick.labelValues(proxy).observe((picked - received) / NANOS_PER_SECOND);
    if (outcome.equals(ExchangeListener.OK)) {
      Pair pair = pairAt(picked);
      latency
          .labelValues(proxy, pair.algorithm(), pair.view())
          .observe((ended - received) / NANOS_PER_SECOND);
    }
  }

  /// Which pair picked at an instant.
  private Pair pairAt(long nanos) {
    Pair oldest = UNKNOWN;
    for (Iterator<Install> each = installs.descendingIterator(); each.hasNext(); ) {
      Install install = each.next();
      oldest = install.pair();
      if (install.nanos() - nanos <= 0) {
        return oldest;
      }
    }
    return oldest;
  }

  private void refresh(Supplier<ProxyState> state) {
    Optional<ProxyState> now = feed.ask(state);
    // First, so that the last request of what has left is shown by this scrape.
    feed.drain();
    now.ifPresent(this::show);
  }

  private void show(ProxyState now) {
    Set<String> proxies = new HashSet<>();
    // The empty one is of requests for which none was picked.
    Set<String> ids = new HashSet<>(Set.of(""));
    now.backends().forEach(backend -> ids.add(backend.backend().id()));
    for (ProxyState.Instance proxy : now.instances()) {
      proxies.add(Integer.toString(proxy.number()));
      show(Integer.toString(proxy.number()), proxy, now);
    }
    ProxyState.Connections open = now.connections();
    connections.set(open.clients(), "client");
    connections.set(open.backends(), "backend");
    CountBoard.Health health = now.board().health();
    board.set(health.connected() ? 1 : 0, health.kind());
    bounded.forEach(Series::keepTouched);
    requests.keep(labels -> proxies.contains(labels.get(0)) && ids.contains(labels.get(1)));
    latency.removeIf(labels -> !proxies.contains(labels.getFirst()));
    pick.removeIf(labels -> !proxies.contains(labels.getFirst()));
  }

  private void show(String number, ProxyState.Instance proxy, ProxyState now) {
    for (int i = 0; i < now.backends().size(); i++) {
      String id = now.backends().get(i).backend().id();
      inFlight.set(proxy.inFlightOn().get(i), number, id);
      viewInFlight.set(proxy.viewInFlight().get(i), number, id);
    }
    viewAge.set(proxy.viewAgeNanos() / NANOS_PER_SECOND, number);
    viewRefresh.set(now.refreshNanos() / NANOS_PER_SECOND, number);
    viewRefreshes.set(proxy.refreshes(), number);
    AttemptCounts made = proxy.attempts();
    attempts.set(made.attempts() - made.retries() - made.hedges(), number, "first");
    attempts.set(made.retries(), number, "retry");
    attempts.set(made.hedges(), number, "hedge");
    attempts.set(made.hedgesWon(), number, "hedge-won");
    attempts.set(made.overBudget(), number, "over-budget");
    info.set(1, number, now.algorithm(), now.view(), now.phase());
    switches.set(now.switches(), number);
    backends.set(now.backends().size(), number);
    signals.show(number, proxy);
  }

  @Override
  public void close() {
    feed.close();
  }
}
