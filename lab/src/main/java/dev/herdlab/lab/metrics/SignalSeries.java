package dev.herdlab.lab.metrics;

import dev.herdlab.proxy.ProxyState;
import java.util.List;

/// What a proxy's balancer hears from its backends beside responses, and who waits for one of them.
///
/// Owner thread: whoever holds the registry.
final class SignalSeries {
  private static final String PROXY = "proxy";
  private static final String RESULT = "result";

  private static final Declaration PROBES =
      Declaration.counter(
          "herdlab_proxy_probes_total",
          "probes",
          "Probes that the balancer asked for, by result: answered in time, or lost.",
          PROXY,
          RESULT);
  private static final Declaration REPORTS =
      Declaration.counter(
          "herdlab_proxy_load_reports_total",
          "reports",
          "Load reports within responses that the balancer wanted, by result: read, or unreadable.",
          PROXY,
          RESULT);
  private static final Declaration IDLE_NOTICES =
      Declaration.counter(
          "herdlab_proxy_idle_notices_total",
          "notices",
          "How often a backend told the proxy that it has become idle.",
          PROXY);
  private static final Declaration IDLE_STREAMS =
      Declaration.gauge(
          "herdlab_proxy_idle_streams",
          "backends",
          "Backends that tell the proxy when they become idle.",
          PROXY);
  private static final Declaration WAITING =
      Declaration.gauge(
          "herdlab_proxy_waiting",
          "requests",
          "Requests that wait at the proxy because every backend has as many as it may have.",
          PROXY);

  private final Series probes;
  private final Series reports;
  private final Series idleNotices;
  private final Series idleStreams;
  private final Series waiting;

  SignalSeries(MetricsRegistry registry) {
    probes = registry.series(PROBES);
    reports = registry.series(REPORTS);
    idleNotices = registry.series(IDLE_NOTICES);
    idleStreams = registry.series(IDLE_STREAMS);
    waiting = registry.series(WAITING);
  }

  static List<Declaration> declared() {
    return List.of(PROBES, REPORTS, IDLE_NOTICES, IDLE_STREAMS, WAITING);
  }

  List<Series> all() {
    return List.of(probes, reports, idleNotices, idleStreams, waiting);
  }

  /// Shows what `proxy`, known as `number`, has heard.
  void show(String number, ProxyState.Instance proxy) {
    ProxyState.Signals signals = proxy.signals();
    probes.set(signals.probesAnswered(), number, "answered");
    probes.set(signals.probesLost(), number, "lost");
    reports.set(signals.reports(), number, "read");
    reports.set(signals.unreadableReports(), number, "unreadable");
    idleNotices.set(signals.idleNotices(), number);
    idleStreams.set(signals.idleStreams(), number);
    waiting.set(proxy.waiting(), number);
  }
}
