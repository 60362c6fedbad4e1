package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.View;
import java.util.List;

/// Picks the best of a small pool of recent probe replies by the hot-cold lexicographic rule; with
/// fewer than two in the pool, uniformly at random. Each pick removes some replies and sends some
/// probes; after some time without probes a timer sends them.
///
/// Within a pick: old replies go, one is used, some are removed, probes are sent. Probe targets are
/// drawn from a stream of their own, so that timers do not shift the other coins.
///
/// Cost: O(pool), no draw, and one for each probe sent. Owner thread: its dispatcher's.
final class Prequal implements LoadBalancer {
  private static final int DEFAULT_POOL = 16;

  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "prequal",
              "Probes some random backends for each request and picks, from a pool of their replies, the one"
                  + " of the least latency among those with few requests in flight; when all have many,"
                  + " the one with the fewest.",
              List.of(
                  Parameter.decimal(
                      "probes", 0.01, 64, "3", "probes for each request; may be a fraction"),
                  Parameter.decimal(
                      "remove",
                      0,
                      63,
                      "1",
                      "replies removed for each request, the oldest and the worst in turn; below probes"),
                  Parameter.whole(
                      "pool",
                      1,
                      1024,
                      String.valueOf(DEFAULT_POOL),
                      "most replies kept; not written, fewer in a small fleet: half of what would fit"),
                  Parameter.duration("age", "1s", "after which a reply is dropped"),
                  Parameter.decimal(
                      "quantile",
                      0,
                      1,
                      "0.84",
                      "of the numbers in flight, from which on a backend is hot; 0: all are, 1: none is"),
                  Parameter.whole(
                      "window", 1, 4096, "128", "recent replies that the quantile is taken of"),
                  Parameter.decimal(
                      "delta",
                      0.001,
                      1000,
                      "1",
                      "net rate at which replies gather; for the reuse budget"),
                  Parameter.duration("idle", "500ms", "without probes, after which some are sent")),
              "O(pool), a draw for each probe",
              "the pool and the numbers in flight of recent replies; survivors keep theirs",
              List.of(
                  "Wydrowski, Kleinberg, Rumble, Archer, *Load is not what you should balance: Introducing"
                      + " Prequal*, NSDI 2024, sections 4 and 5: asynchronous mode"),
              List.of(
                  "The paper has no number for `window` and `idle`, and none for ties: the youngest reply is"
                      + " the best, the oldest the worst.",
                  "Hot are also those at the limit itself, as section 5.3 has it.",
                  "A pool that makes the reuse budget's denominator 0 or less is refused; where the set"
                      + " shrinks later, the pool shrinks with it.",
                  "No synchronous mode, and no aversion to errors, which the paper does not disclose."));
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          return new Prequal(Settings.of(parameters), backends, ports);
        }
      };

  private final Ports ports;
  private final ReuseBudget reuse;
  private final Fraction probes;
  private final Fraction removals;
  private final RandomProbes prober;
  private final RifLimit limit;
  private final ProbePool pool;
  private final int poolMost;
  private final boolean poolGiven;
  private final long ageNanos;
  private final long idleNanos;
  private final Runnable idle = this::idle;
  private BackendSet backends;
  private double budget;
  private long probedNanos;
  private boolean oldestNext = true;

  private Prequal(Settings settings, BackendSet backends, Ports ports) {
    this.ports = ports;
    this.reuse =
        new ReuseBudget(
            settings.decimal("probes"), settings.decimal("remove"), settings.decimal("delta"));
    this.probes = new Fraction(reuse.probes());
    this.removals = new Fraction(reuse.remove());
    this.limit = new RifLimit(settings.decimal("quantile"), settings.whole("window"));
    this.poolMost = settings.whole("pool");
    this.poolGiven = settings.isGiven("pool");
    this.pool = new ProbePool(poolMost);
    this.ageNanos = settings.nanos("age");
    this.idleNanos = settings.nanos("idle");
    this.backends = backends;
    refuse(settings, backends.size());
    SeededRandom targets =
        SeededRandom.of(ports.random().below(Integer.MAX_VALUE), "probe targets", 0);
    this.prober = new RandomProbes(backends.size(), targets, ports.prober());
    this.probedNanos = ports.clock().nanos();
    fit();
    ports.timer().schedule(idleNanos, idle);
  }

  private void refuse(Settings settings, int size) {
    if (reuse.remove() >= reuse.probes()) {
      throw new IllegalArgumentException(
          "remove: %s (expected: below probes=%s)".formatted(reuse.remove(), reuse.probes()));
    }
    if (poolGiven && size > 0 && !reuse.fits(poolMost, size)) {
      throw settings.refusal(
          "pool",
          "such as %d with %d backends, probes=%s and remove=%s: (1 - pool/%d) probes - remove must be above 0"
              .formatted(
                  reuse.poolFor(size, DEFAULT_POOL), size, reuse.probes(), reuse.remove(), size));
    }
  }

  /// Fits pool and budget to the number of backends.
  private void fit() {
    int size = backends.size();
    if (size == 0) {
      return;
    }
    int most = poolGiven && reuse.fits(poolMost, size) ? poolMost : reuse.poolFor(size, poolMost);
    pool.limit(most);
    budget = reuse.fits(most, size) ? reuse.of(most, size) : 1;
  }

  @Override
  public PickResult pick(PickContext context) {
    int size = backends.size();
    if (size == 0) {
      return NoBackend.EMPTY_SET;
    }
    long nowNanos = ports.clock().nanos();
    pool.expire(nowNanos - ageNanos);
    int hot = limit.value();
    int index = pool.size() < 2 ? ports.random().below(size) : pool.use(pool.best(hot));
    for (int i = removals.next(); i > 0; i--) {
      removeOne(hot);
    }
    probe(nowNanos);
    return new Picked(backends, index);
  }

  private void removeOne(int hot) {
    if (oldestNext) {
      pool.removeOldest();
    } else {
      pool.removeWorst(hot);
    }
    oldestNext = !oldestNext;
  }

  private void probe(long nowNanos) {
    int count = probes.next();
    if (count > 0) {
      probedNanos = nowNanos;
      prober.send(count);
    }
  }

  private void idle() {
    long nowNanos = ports.clock().nanos();
    if (nowNanos - probedNanos >= idleNanos) {
      probedNanos = nowNanos;
      prober.send((int) Math.ceil(reuse.probes()));
    }
    ports.timer().schedule(probedNanos + idleNanos - nowNanos, idle);
  }

  @Override
  public void observe(BackendSignal signal) {
    if (signal instanceof BackendSignal.ProbeReply(String id, int inFlight, long latencyNanos)) {
      limit.add(inFlight);
      int index = backends.indexOf(id);
      if (index >= 0) {
        int uses = ReuseBudget.rounded(budget, ports.random());
        pool.add(index, inFlight, latencyNanos, ports.clock().nanos(), uses);
      }
    }
  }

  @Override
  public void update(BackendSet next) {
    pool.update(backends, next);
    prober.resize(next.size());
    backends = next;
    fit();
  }
}
