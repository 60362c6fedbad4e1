package dev.herdlab.lab.twin;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.Further;
import dev.herdlab.balancer.Snapshot;
import java.util.Optional;

/// The pick audit: the recorded events into fresh dispatchers with the same coins, every pick
/// compared.
///
/// A proxy is audited from its installation on, with what was in flight then. Views show the copies
/// of the counts that the record holds. Where copy and counts are of one moment ([Conditions]), the
/// copy must be what the record adds up to; and copies of one number must be one, whoever saw them.
///
/// Whatever the fresh balancer answers, counts and views follow the *record*, so one wrong pick is
/// one difference, not an avalanche. An event that cannot have happened, such as the end of a lease
/// that is not open, is a difference too. A proxy whose set of backends becomes one
/// that the measurement does not tell of is audited until then.
///
/// Completions name their pick by its number at the proxy, which need not start at 0, since others
/// came before; see [#firstSequences]. Backends go by their numbers in the whole set.
///
/// What backends said reaches the fresh balancer as it is on record, whatever that one would have
/// asked them: its own probes go nowhere.
///
/// Retries and hedges are picks like others, for which the fresh balancer is told what the request
/// has tried; and the fresh budget must grant each retry on record, and refuse each that was
/// refused. When a hedge was due is not audited.
///
/// Limit: the log holds no timers, and they never fire here, so an algorithm whose picks depend on
/// one otherwise than through the answers to its probes will differ.
///
/// Owner thread: any (immutable).
///
/// @param picks decisions audited, refusals included
/// @param different decisions, or events between them, that the record has otherwise
/// @param coins draws that the algorithm made in all, at construction included
/// @param openLeases picks that were never completed: at the end none may be open, or, where the
///     load goes on, none of those that were already there at the installation
/// @param first what the first difference is
record PickAudit(long picks, long different, long coins, long openLeases, Optional<String> first) {

  /// Audits a record. Cost: one pick or completion an event.
  static PickAudit of(Measurement measurement, Switches switches) {
    DispatchLog log = switches.dispatches();
    Audit audit = new Audit(measurement, firstSequences(log, measurement.plan().proxies()));
    log.forEach(audit);
    return audit.result();
  }

  /// Number of each proxy's first pick in the log.
  ///
  /// A completion of pick s that comes after j picks of its proxy in this log proves that the first
  /// of them has a number of at least s + 1 - j. The bound is exact as soon as any pick completes
  /// while it is its proxy's newest, the last one at the latest; no early pick has to complete for
  /// it. A lease from before is older than the first.
  private static long[] firstSequences(DispatchLog log, int proxies) {
    long[] first = new long[proxies];
    long[] picks = new long[proxies];
    log.forEach(
        (kind, proxy, value, argument, nanos) -> {
          switch (kind) {
            case PICK -> picks[proxy]++;
            case SUCCESS, FAILURE, CANCELLATION, LEASE ->
                first[proxy] = Math.max(first[proxy], argument + 1 - picks[proxy]);
            case REFUSAL, WAIT, REFRESH, SNAPSHOT, COUNT, INSTALL, UPDATE -> {}
            case PINNED, NUMBER, PROBE_REPLY, IDLE, REPORT -> {}
            case RETRY, HEDGE, OVER_BUDGET -> {}
          }
        });
    return first;
  }

  /// The fresh dispatchers, fed one event after another.
  private static final class Audit implements DispatchLog.Visitor, AuditedProxy.Findings {
    private final BackendSet backends;
    private final MemberSets sets;
    private final int[] updates;
    private int updatesOfTruth;
    private final Conditions conditions;
    private final Counts truth;
    private final CopiesOnRecord copies;
    private final SignalsOnRecord signals;
    private final AuditedProxy[] proxies;
    private long nowNanos;
    private long coins;
    private long picks;
    private long different;
    private Optional<String> first = Optional.empty();

    Audit(Measurement measurement, long[] firstSequences) {
      backends = measurement.backends();
      sets = MemberSets.of(measurement);
      updates = new int[firstSequences.length];
      conditions = measurement.conditions();
      truth = new Counts(backends);
      copies = new CopiesOnRecord(backends);
      signals = new SignalsOnRecord(backends);
      proxies = new AuditedProxy[firstSequences.length];
      for (int p = 0; p < proxies.length; p++) {
        proxies[p] =
            new AuditedProxy(p, measurement, truth, firstSequences[p], () -> nowNanos, this);
      }
    }

    @Override
    public void event(DispatchLog.Kind kind, int proxy, int value, long argument, long nanos) {
      nowNanos = nanos;
      AuditedProxy at = proxies[proxy];
      switch (kind) {
        case PICK -> at.pick(value, argument);
        case REFUSAL -> at.pick(ForcedBalancer.REFUSED, argument);
        case WAIT -> at.pick(ForcedBalancer.WAITS, argument);
        case SUCCESS, FAILURE, CANCELLATION ->
            at.complete(argument, DispatchLog.outcome(kind, value));
        case SNAPSHOT -> copies.begin(argument, nanos, value).ifPresent(copy -> check(proxy, copy));
        case COUNT -> copies.count(value, argument).ifPresent(copy -> check(proxy, copy));
        case REFRESH -> {
          Optional<Snapshot> copy = copies.find(argument);
          copy.ifPresent(found -> at.refresh(found, value));
          if (copy.isEmpty()) {
            differ(proxy, "a refresh with copy " + argument + ", which is not on record");
          }
        }
        case INSTALL -> at.install(nanos);
        case LEASE -> at.keep(value, argument);
        case UPDATE -> update(proxy, at);
        case PINNED -> at.pin(value);
        case RETRY -> at.tried(Further.RETRY, value);
        case HEDGE -> at.tried(Further.HEDGE, value);
        case OVER_BUDGET -> at.overBudget();
        case NUMBER -> signals.number(argument);
        case PROBE_REPLY -> at.observe(signals.reply(value, argument));
        case IDLE -> at.observe(signals.idle(value));
        case REPORT -> at.observe(signals.report(value, argument));
      }
    }

    private void update(int proxy, AuditedProxy at) {
      int next = ++updates[proxy];
      if (next > sets.updates()) {
        at.leave();
        return;
      }
      if (next > updatesOfTruth) {
        updatesOfTruth = next;
        truth.update(sets.after(next));
      }
      at.update(sets.after(next));
    }

    private void check(int proxy, Snapshot copy) {
      if (!copies.keep(copy)) {
        differ(proxy, "copy " + copy.number() + " has other counts than elsewhere on record");
      }
      if (conditions.board() == Conditions.Board.MEMORY && allFollowed()) {
        BackendSet now = sets.after(updatesOfTruth);
        Snapshot here = copy.on(now);
        for (int i = 0; i < now.size(); i++) {
          if (here.count(i) != truth.inFlight(i)) {
            differ(
                proxy,
                "copy %d has %d on %s (expected: %d in flight)"
                    .formatted(copy.number(), here.count(i), now.get(i).id(), truth.inFlight(i)));
            return;
          }
        }
      }
    }

    private boolean allFollowed() {
      for (AuditedProxy proxy : proxies) {
        if (!proxy.isFollowed()) {
          return false;
        }
      }
      return true;
    }

    PickAudit result() {
      long openLeases = 0;
      for (AuditedProxy proxy : proxies) {
        openLeases +=
            switch (conditions.end()) {
              case QUIET -> proxy.open();
              case LOADED -> proxy.stillKept();
            };
      }
      return new PickAudit(picks, different, coins, openLeases, first);
    }

    @Override
    public void pick() {
      picks++;
    }

    @Override
    public void coin() {
      coins++;
    }

    @Override
    public void differ(int proxy, String what) {
      different++;
      if (first.isEmpty()) {
        first = Optional.of("proxy " + proxy + " at " + nowNanos + " ns: " + what);
      }
    }
  }
}
