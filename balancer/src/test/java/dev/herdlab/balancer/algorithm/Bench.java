package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.OneProxy;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.Snapshot;
import dev.herdlab.balancer.View;
import dev.herdlab.balancer.ViewSpec;
import java.util.ArrayList;
import java.util.List;

/// A proxy on backends named a, b, c, ... whose requests a test holds open and ends; instants in
/// ms.
///
/// Either an algorithm picks; or the test does, to see what a load metric makes of it.
final class Bench {
  static final long MS = 1_000_000;

  final OneProxy proxy;
  final List<Picked> open = new ArrayList<>();
  LoadMetric metric = index -> 0;
  private int dictated;
  private long snapshots;

  private Bench(int... weights) {
    proxy = new OneProxy(BackendSet.of(weighted(weights)));
  }

  static List<Backend> weighted(int... weights) {
    List<Backend> backends = new ArrayList<>();
    for (int i = 0; i < weights.length; i++) {
      backends.add(new Backend(Character.toString('a' + i), weights[i]));
    }
    return backends;
  }

  /// Picks by an algorithm.
  static Bench of(String spec, int... weights) {
    return of(spec, SeededRandom.of(20_260_101, "coins", 0), weights);
  }

  static Bench of(String spec, Ports.RandomSource coins, int... weights) {
    return of(spec, "local", Ports.Peers.ALONE, coins, weights);
  }

  static Bench of(
      String spec, String view, Ports.Peers peers, Ports.RandomSource coins, int... weights) {
    Bench bench = new Bench(weights);
    bench.proxy.peers = peers;
    bench.proxy.install(Algorithms.builtIn(), spec, view, coins);
    return bench;
  }

  /// Picks as the test says; `spec` is that of an algorithm with `metric=`.
  static Bench ofMetric(String spec, int... weights) {
    Bench bench = new Bench(weights);
    Parameters parameters = Algorithms.builtIn().parse(spec, MS).parameters();
    Algorithm dictating =
        new Algorithm() {
          @Override
          public Description description() {
            return LeastConn.ALGORITHM.description();
          }

          @Override
          public LoadBalancer create(Parameters its, BackendSet set, View view, Ports ports) {
            bench.metric = LoadMetrics.create(Settings.of(its), set, view, ports);
            return new SelectingBalancer(set, bench.metric, (metric, size) -> bench.dictated);
          }
        };
    bench.proxy.dispatcher.install(
        new ConfiguredAlgorithm(spec, dictating, parameters),
        ViewSpec.parse("local", MS),
        SeededRandom.of(1, "coins", 0),
        (delayNanos, task) -> {},
        index -> {});
    return bench;
  }

  Bench at(long ms) {
    proxy.nowNanos = ms * MS;
    return this;
  }

  /// The next `count` picks, held open, as one word.
  String opens(int count) {
    StringBuilder ids = new StringBuilder();
    for (int i = 0; i < count; i++) {
      open.add(proxy.pick());
      ids.append(open.getLast().backend().id());
    }
    return ids.toString();
  }

  /// Dictates a pick.
  void opensOn(String id) {
    dictated = proxy.dispatcher.backends().indexOf(id);
    opens(1);
  }

  void ends(String id) {
    ends(id, Outcome.SUCCEEDED);
  }

  /// Ends the oldest open request on `id`.
  void ends(String id, Outcome outcome) {
    Picked oldest =
        open.stream().filter(it -> it.backend().id().equals(id)).findFirst().orElseThrow();
    open.remove(oldest);
    oldest.complete(outcome);
  }

  /// A request on `id` that begins now and takes `ms`, which pass.
  void serves(String id, double ms) {
    serves(id, ms, Outcome.SUCCEEDED);
  }

  void serves(String id, double ms, Outcome outcome) {
    opensOn(id);
    Picked it = open.removeLast();
    proxy.nowNanos += Math.round(ms * MS);
    it.complete(outcome);
  }

  /// A report of a backend.
  void reports(String id, int inFlight, double utilisation) {
    reports(id, inFlight, utilisation, 0, 0);
  }

  void reports(String id, int inFlight, double utilisation, double rate, double errors) {
    proxy.dispatcher.observe(new BackendSignal.LoadReport(id, inFlight, utilisation, rate, errors));
  }

  /// A backend's answer to a probe.
  void replies(String id, int inFlight, double ms) {
    proxy.dispatcher.observe(new BackendSignal.ProbeReply(id, inFlight, Math.round(ms * MS)));
  }

  /// A backend has become idle, and tells this proxy.
  void idles(String... ids) {
    for (String id : ids) {
      proxy.dispatcher.observe(new BackendSignal.IdleNotice(id));
    }
  }

  /// The view takes a copy of these counts, true now, that knows of all picks.
  void copies(int... counts) {
    proxy.dispatcher.refreshView(
        new Snapshot(++snapshots, proxy.dispatcher.backends(), counts, proxy.nowNanos),
        proxy.dispatcher.picks());
  }

  /// What the metric says of `id` at the next pick, in its own unit.
  double load(String id) {
    looksAtTheClock();
    metric.picking();
    return metric.load(proxy.dispatcher.backends().indexOf(id));
  }

  /// The dispatcher's clock stands still between events: this is one of nothing.
  void looksAtTheClock() {
    proxy.dispatcher.observe(new BackendSignal.IdleNotice("nobody"));
  }

  void becomes(Backend... backends) {
    proxy.update(proxy.dispatcher.backends().next(List.of(backends)));
  }
}
