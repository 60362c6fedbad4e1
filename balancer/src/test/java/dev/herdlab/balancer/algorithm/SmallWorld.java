package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.Snapshot;
import dev.herdlab.balancer.ViewSpec;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/// Proxies in front of first-come-first-served backends with exponential service times of mean 1
/// ms, Poisson arrivals, and all that backends may tell: stale copies, load reports, idle notices
/// and probe replies. Nothing else takes time. A host small enough to be right by looking at it.
final class SmallWorld {
  private static final double MS = 1e6;

  private final int backends;
  private final double[] speeds;
  private final List<Server> servers = new ArrayList<>();
  private final List<Dispatcher> proxies = new ArrayList<>();
  private final Counts truth;
  private final SeededRandom chance;
  private final PriorityQueue<Event> events =
      new PriorityQueue<>(Comparator.comparingLong(Event::nanos).thenComparingLong(Event::number));
  private long nowNanos;
  private long numbers;
  private long copies;
  private long finished;
  private double sumNanos;
  private long warmUp;

  /// Number of requests that each backend served.
  final long[] served;

  private record Event(long nanos, long number, Runnable task) {}

  private record Waiting(Picked picked, int proxy, long arrivedNanos, long serviceNanos) {}

  private static final class Server {
    private final ArrayDeque<Waiting> queue = new ArrayDeque<>();
    private double busyNanos;
    private long done;
  }

  /// @param speeds a backend takes 1/speed of each service time
  SmallWorld(int proxies, String spec, String view, long seed, double... speeds) {
    this.backends = speeds.length;
    this.speeds = speeds;
    this.served = new long[backends];
    BackendSet set = BackendSet.ofSize(backends);
    truth = new Counts(set);
    chance = SeededRandom.of(seed, "world", 0);
    ConfiguredAlgorithm algorithm = Algorithms.builtIn().parse(spec, (long) MS);
    ViewSpec viewSpec = ViewSpec.parse(view, (long) MS);
    for (int i = 0; i < backends; i++) {
      servers.add(new Server());
    }
    for (int p = 0; p < proxies; p++) {
      Dispatcher proxy = new Dispatcher(p, set, truth, () -> nowNanos, DispatchListener.NONE);
      this.proxies.add(proxy);
      proxy.install(
          algorithm,
          viewSpec,
          SeededRandom.of(seed, "coins", p),
          this::after,
          index -> after(0, () -> proxy.observe(reply(set.get(index).id(), index))),
          new Ports.Peers(p, proxies));
    }
    if (viewSpec instanceof ViewSpec.SharedStale stale) {
      copyEvery(stale.refreshNanos());
    }
  }

  static double[] equal(int backends) {
    double[] speeds = new double[backends];
    Arrays.fill(speeds, 1);
    return speeds;
  }

  private void after(long delayNanos, Runnable task) {
    events.add(new Event(nowNanos + delayNanos, numbers++, task));
  }

  private void copyEvery(long refreshNanos) {
    Snapshot copy = truth.snapshot(++copies, nowNanos);
    proxies.forEach(proxy -> proxy.refreshView(copy, proxy.picks()));
    after(refreshNanos, () -> copyEvery(refreshNanos));
  }

  /// Its latency is what its queue will take, by its mean speed.
  private BackendSignal reply(String id, int index) {
    int inFlight = servers.get(index).queue.size();
    return new BackendSignal.ProbeReply(id, inFlight, (long) ((inFlight + 1) * MS / speeds[index]));
  }

  private double exponential(double mean) {
    return -Math.log(1 - chance.unit()) * mean;
  }

  /// Mean response time in ms of `requests` after as many tenths of them, at utilisation `load` of
  /// all backends together.
  double meanResponse(double load, int requests) {
    double capacity = 0;
    for (double speed : speeds) {
      capacity += speed;
    }
    warmUp = requests / 10;
    long total = warmUp + requests;
    double gapNanos = MS / (load * capacity);
    arrive(total, gapNanos);
    while (finished < total) {
      Event next = events.remove();
      nowNanos = next.nanos();
      next.task().run();
    }
    return sumNanos / requests / MS;
  }

  private void arrive(long left, double gapNanos) {
    int proxy = chance.below(proxies.size());
    Picked picked = (Picked) proxies.get(proxy).pick(PickContext.PLAIN);
    int index = picked.index();
    long serviceNanos = (long) (exponential(MS) / speeds[index]);
    Server server = servers.get(index);
    server.queue.add(new Waiting(picked, proxy, nowNanos, serviceNanos));
    if (server.queue.size() == 1) {
      after(serviceNanos, () -> finish(index));
    }
    if (left > 1) {
      after((long) exponential(gapNanos), () -> arrive(left - 1, gapNanos));
    }
  }

  private void finish(int index) {
    Server server = servers.get(index);
    Waiting done = server.queue.remove();
    served[index]++;
    server.busyNanos += done.serviceNanos();
    server.done++;
    finished++;
    if (finished > warmUp) {
      sumNanos += nowNanos - done.arrivedNanos();
    }
    if (!server.queue.isEmpty()) {
      after(server.queue.element().serviceNanos(), () -> finish(index));
    }
    Dispatcher proxy = proxies.get(done.proxy());
    if (proxy.wants().loadReports()) {
      double seconds = Math.max(1, nowNanos) / 1e9;
      proxy.observe(
          new BackendSignal.LoadReport(
              done.picked().backend().id(),
              server.queue.size(),
              server.busyNanos / 1e9 / seconds,
              server.done / seconds,
              0));
    }
    done.picked().complete(Outcome.SUCCEEDED);
    if (server.queue.isEmpty() && proxies.getFirst().wants().idleChoices() > 0) {
      told().observe(new BackendSignal.IdleNotice(done.picked().backend().id()));
    }
  }

  /// Who hears of an idle backend: of as many random proxies as are wanted that with the shortest
  /// queue.
  private Dispatcher told() {
    Dispatcher shortest = proxies.get(chance.below(proxies.size()));
    for (int i = 1; i < proxies.getFirst().wants().idleChoices(); i++) {
      Dispatcher other = proxies.get(chance.below(proxies.size()));
      if (other.idleQueueLength() < shortest.idleQueueLength()) {
        shortest = other;
      }
    }
    return shortest;
  }
}
