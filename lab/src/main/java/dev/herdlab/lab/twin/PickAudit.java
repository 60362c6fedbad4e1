package dev.herdlab.lab.twin;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.ViewSpec;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// The pick audit: the recorded events into fresh dispatchers with the same coins, every pick
/// compared.
///
/// Whatever the fresh balancer answers, counts and views follow the *record*, so one wrong pick is
/// one difference, not an avalanche. An event that cannot have happened, such as the end of a lease
/// that is not open, is a difference too.
///
/// Completions name their pick by its number at the proxy, which need not start at 0, since a
/// burn-in came before; see [#firstSequences].
///
/// Limit: the log holds no timers, probes or reports, so an algorithm that uses those will differ
/// here.
///
/// Owner thread: any (immutable).
///
/// @param picks decisions audited, refusals included
/// @param different decisions, or events between them, that the record has otherwise
/// @param coins draws that the algorithm made in all, at construction included
/// @param openLeases picks that were never completed
/// @param first what the first difference is
record PickAudit(long picks, long different, long coins, long openLeases, Optional<String> first) {

  /// Audits a log. Cost: one pick or completion an event.
  ///
  /// @param log from a moment with nothing in flight
  /// @param proxies number of dispatchers
  /// @param seed of the run, for the coins
  static PickAudit of(
      DispatchLog log,
      int proxies,
      BackendSet backends,
      ConfiguredAlgorithm algorithm,
      ViewSpec view,
      long seed) {
    Audit audit = new Audit(backends, firstSequences(log, proxies));
    audit.install(algorithm, view, seed);
    log.forEach(audit);
    return audit.result();
  }

  /// Number of each proxy's first pick in the log.
  ///
  /// A completion of pick s that comes after j picks of its proxy in this log proves that the first
  /// of them has a number of at least s + 1 - j. The bound is exact as soon as any pick completes
  /// while it is its proxy's newest, the last one at the latest; no early pick has to complete for
  /// it.
  private static long[] firstSequences(DispatchLog log, int proxies) {
    long[] first = new long[proxies];
    long[] picks = new long[proxies];
    log.forEach(
        (kind, proxy, value, argument, nanos) -> {
          switch (kind) {
            case PICK -> picks[proxy]++;
            case SUCCESS, FAILURE, CANCELLATION ->
                first[proxy] = Math.max(first[proxy], argument + 1 - picks[proxy]);
            case REFUSAL, REFRESH -> {}
          }
        });
    return first;
  }

  /// The fresh dispatchers, fed one event after another.
  private static final class Audit implements DispatchLog.Visitor {
    private final BackendSet backends;
    private final Proxy[] proxies;
    private long nowNanos;
    private long coins;
    private long picks;
    private long different;
    private Optional<String> first = Optional.empty();

    Audit(BackendSet backends, long[] firstSequences) {
      this.backends = backends;
      this.proxies = new Proxy[firstSequences.length];
      Counts truth = new Counts(backends);
      for (int p = 0; p < proxies.length; p++) {
        Dispatcher fresh =
            new Dispatcher(p, backends, truth, () -> nowNanos, DispatchListener.NONE);
        proxies[p] = new Proxy(p, fresh, firstSequences[p]);
      }
    }

    void install(ConfiguredAlgorithm algorithm, ViewSpec view, long seed) {
      for (Proxy proxy : proxies) {
        proxy.dispatcher.install(
            ForcedBalancer.forcing(algorithm, made -> proxy.balancer = Optional.of(made)),
            view,
            new CountedCoins(SeededRandom.of(seed, "coins", proxy.number)),
            (delayNanos, task) -> {},
            index -> {});
      }
    }

    @Override
    public void event(DispatchLog.Kind kind, int proxy, int value, long argument, long nanos) {
      nowNanos = nanos;
      Proxy at = proxies[proxy];
      switch (kind) {
        case PICK -> at.pick(value, argument);
        case REFUSAL -> at.pick(ForcedBalancer.REFUSED, argument);
        case SUCCESS, FAILURE, CANCELLATION ->
            at.complete(argument, DispatchLog.outcome(kind, value));
        case REFRESH -> at.dispatcher.refreshView();
      }
    }

    PickAudit result() {
      long openLeases = 0;
      for (Proxy proxy : proxies) {
        openLeases += proxy.open.size();
      }
      return new PickAudit(picks, different, coins, openLeases, first);
    }

    private void differ(int proxy, String what) {
      different++;
      if (first.isEmpty()) {
        first = Optional.of("proxy " + proxy + " at " + nowNanos + " ns: " + what);
      }
    }

    private String name(int index) {
      return index == ForcedBalancer.REFUSED ? "no backend" : backends.get(index).id();
    }

    /// One fresh dispatcher and its open leases.
    private final class Proxy {
      private final int number;
      private final Dispatcher dispatcher;
      private final Map<Long, Picked> open = new HashMap<>();
      private Optional<ForcedBalancer> balancer = Optional.empty();
      private long sequence;

      Proxy(int number, Dispatcher dispatcher, long firstSequence) {
        this.number = number;
        this.dispatcher = dispatcher;
        this.sequence = firstSequence;
      }

      void pick(int recorded, long key) {
        ForcedBalancer forced = balancer.orElseThrow();
        picks++;
        if (recorded >= backends.size()) {
          differ(number, "recorded backend " + recorded + " of " + backends.size());
          sequence++;
          return;
        }
        forced.next(recorded);
        if (dispatcher.pick(new PickContext(key)) instanceof Picked lease) {
          open.put(sequence++, lease);
        }
        if (forced.answer() != recorded) {
          differ(
              number,
              "recorded " + name(recorded) + ", a fresh balancer picks " + name(forced.answer()));
        }
      }

      void complete(long number, Outcome outcome) {
        Picked lease = open.remove(number);
        if (lease == null) {
          differ(this.number, "the end of pick " + number + ", which is not in flight");
        } else {
          lease.complete(outcome);
        }
      }
    }

    /// Coins, counted: an algorithm that never asks for one is recognised by it, whatever its name.
    private final class CountedCoins implements Ports.RandomSource {
      private final Ports.RandomSource random;

      CountedCoins(Ports.RandomSource random) {
        this.random = random;
      }

      @Override
      public int below(int bound) {
        coins++;
        return random.below(bound);
      }

      @Override
      public double unit() {
        coins++;
        return random.unit();
      }
    }
  }
}
