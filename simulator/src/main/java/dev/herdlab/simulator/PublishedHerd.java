package dev.herdlab.simulator;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.CPythonRandom;
import java.util.Arrays;

/// The published herd program, number for number: the same system as the [Model] with `local`
/// views, on a clock of doubles and one stream of CPython's random numbers for everything.
///
/// For each request, in this order: a gap is drawn; requests finished by then are retired; the
/// proxy is drawn; that proxy's balancer picks; the service time is drawn, lognormal(-0.36, 0.85).
/// The picks go through the same `Dispatcher` and `LoadBalancer` classes as on sockets; only the
/// coins are CPython's.
///
/// Cost with 16 backends, in ns of one core of a small virtual machine for each request:
/// round-robin 110, p2c 145, least-conn 180 to 210. Of that the draws take 45 to 65, quantiles 13,
/// the herding index 5. The rest is the pick with its lease and its counts, and the completion; for
/// least-conn mostly the scan of 16 loads, twice. 5 MB a run of 300 000. Owner thread: any (no
/// state).
///
/// Deviation: requests that finish between two arrivals are retired by backend, not by instant,
/// which no balancer without a memory of completions can tell.
public final class PublishedHerd {
  private static final double MU = -0.36;
  private static final double SIGMA = 0.85;

  private PublishedHerd() {}

  /// One run's parameters.
  ///
  /// @param algorithm each proxy's
  /// @param proxies 1 or more
  /// @param backends 1 or more
  /// @param rho above 0; arrivals come at rho x backends a unit
  /// @param requests how many
  /// @param warmup the first of them that are dropped, fewer than `requests`
  /// @param seed of Python's `random.Random`
  public record Cell(
      ConfiguredAlgorithm algorithm,
      int proxies,
      int backends,
      double rho,
      int requests,
      int warmup,
      long seed) {
    public Cell {
      if (proxies < 1 || backends < 1 || !(rho > 0) || warmup < 0 || requests <= warmup) {
        throw new IllegalArgumentException(
            "cell: proxies %d, backends %d, rho %s, requests %d, warmup %d"
                    .formatted(proxies, backends, rho, requests, warmup)
                + " (expected: 1 or more, 1 or more, above 0, more than warmup, 0 or more)");
      }
    }
  }

  /// What a run gave.
  ///
  /// @param latency in units
  /// @param herding over intervals of one unit, as these views have no refresh
  public record Result(Quantiles latency, HerdingIndex herding) {}

  /// Runs one cell.
  public static Result run(Cell cell) {
    Coins coins = new Coins(new CPythonRandom(cell.seed()));
    Dispatcher[] proxies = proxies(cell, coins);
    CPythonRandom random = coins.python;
    Departures[] servers = new Departures[cell.backends()];
    Arrays.setAll(servers, b -> new Departures());
    HerdingIndex.Counter herding = new HerdingIndex.Counter(cell.backends());
    double[] latency = new double[cell.requests() - cell.warmup()];
    double rate = cell.backends() * cell.rho();
    double now = 0;
    for (int i = 0; i < cell.requests(); i++) {
      now += random.expovariate(rate);
      for (Departures server : servers) {
        server.retire(now);
      }
      Dispatcher proxy = proxies[random.below(cell.proxies())];
      if (!(proxy.pick(PickContext.PLAIN) instanceof Picked picked)) {
        throw new IllegalArgumentException(
            "algorithm " + cell.algorithm().spec() + ": refused a pick (expected: a backend)");
      }
      double service = random.lognormvariate(MU, SIGMA);
      double finish = servers[picked.index()].admit(picked, now, service);
      if (i >= cell.warmup()) {
        latency[i - cell.warmup()] = finish - now;
        herding.add((long) now, picked.index());
      }
    }
    return new Result(Quantiles.inPlace(latency, 1), herding.index(cell.requests()));
  }

  private static Dispatcher[] proxies(Cell cell, Coins coins) {
    BackendSet backends = BackendSet.ofSize(cell.backends());
    Counts truth = new Counts(backends);
    Dispatcher[] proxies = new Dispatcher[cell.proxies()];
    for (int p = 0; p < proxies.length; p++) {
      // No algorithm of this study asks for the time, a timer or a probe.
      proxies[p] = new Dispatcher(p, backends, truth, () -> 0, DispatchListener.NONE);
      proxies[p].install(
          cell.algorithm(),
          new ViewSpec.Local(),
          coins,
          (delay, task) -> {
            throw new UnsupportedOperationException("timer: the published program has none");
          },
          index -> {
            throw new UnsupportedOperationException("probe: the published program has none");
          });
    }
    return proxies;
  }

  /// CPython's stream as a balancer's coins.
  private record Coins(CPythonRandom python) implements Ports.RandomSource {
    @Override
    public int below(int bound) {
      return python.below(bound);
    }

    @Override
    public double unit() {
      return python.random();
    }
  }

  /// One backend's requests that are not retired yet, in a ring, with their finishing instants in
  /// units.
  private static final class Departures {
    private double[] finish = new double[64];
    private Picked[] lease = new Picked[64];
    private int first;
    private int size;
    private double free;
    private double next = Double.POSITIVE_INFINITY;

    /// Queues a request; returns when it will be done.
    double admit(Picked picked, double now, double service) {
      if (size == finish.length) {
        grow();
      }
      free = Math.max(now, free) + service;
      int at = (first + size) & (finish.length - 1);
      finish[at] = free;
      lease[at] = picked;
      if (size++ == 0) {
        next = free;
      }
      return free;
    }

    /// Completes what is done by `now`.
    void retire(double now) {
      while (next <= now) {
        lease[first].complete(Outcome.SUCCEEDED);
        first = (first + 1) & (finish.length - 1);
        next = --size == 0 ? Double.POSITIVE_INFINITY : finish[first];
      }
    }

    private void grow() {
      double[] finishes = new double[size * 2];
      Picked[] leases = new Picked[size * 2];
      for (int i = 0; i < size; i++) {
        finishes[i] = finish[(first + i) & (size - 1)];
        leases[i] = lease[(first + i) & (size - 1)];
      }
      finish = finishes;
      lease = leases;
      first = 0;
    }
  }
}
