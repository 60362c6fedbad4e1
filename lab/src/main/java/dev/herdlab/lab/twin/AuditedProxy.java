package dev.herdlab.lab.twin;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.Further;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.Snapshot;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.simulator.Change;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// One proxy of the pick audit: a fresh dispatcher that is made to follow the record, and a fresh
/// balancer that is asked for each pick.
///
/// An installation on record empties it; the leases that the record lists are then opened, and only
/// when the next event comes does it get the measured algorithm. Owner thread: its audit's.
final class AuditedProxy {
  /// In the place of the name of a backend that is not in the set: no backend has it.
  static final String UNKNOWN = "?";

  private static final int GONE = -1;

  private final int number;
  private final Measurement measurement;
  private final BackendSet backends;
  private final Dispatcher dispatcher;
  private final Findings findings;
  private final Map<Long, Picked> open = new HashMap<>();
  private final Set<Long> kept = new HashSet<>();
  private final Set<Long> departed = new HashSet<>();
  private State state = State.UNKNOWN;
  private Optional<ForcedBalancer> balancer = Optional.empty();
  private String pinned = "";
  private final List<Backend> tried = new ArrayList<>();
  private Optional<Further> further = Optional.empty();
  private long installedNanos;
  private long sequence;
  private int installs;

  /// What the audit hears.
  interface Findings {
    /// A decision is audited.
    void pick();

    /// The algorithm draws.
    void coin();

    /// The record has something otherwise.
    void differ(int proxy, String what);
  }

  private enum State {
    /// No installation yet.
    UNKNOWN,
    /// What was in flight at an installation is being restored.
    RESTORING,
    /// Its picks are compared.
    AUDITED,
    /// Its set of backends has become another.
    LEFT
  }

  /// @param truth the counts of all audited proxies
  /// @param firstSequence number of its first pick on record
  /// @param clock the instant of the event at hand
  AuditedProxy(
      int number,
      Measurement measurement,
      Counts truth,
      long firstSequence,
      Ports.NanoClock clock,
      Findings findings) {
    this.number = number;
    this.measurement = measurement;
    this.backends = measurement.backends();
    this.dispatcher =
        new Dispatcher(
            number,
            backends,
            truth,
            () -> state == State.RESTORING ? installedNanos : clock.nanos(),
            DispatchListener.NONE);
    this.sequence = firstSequence;
    this.findings = findings;
  }

  /// Whether its part of the true counts is known.
  boolean isFollowed() {
    return state == State.RESTORING || state == State.AUDITED;
  }

  /// Leases that are open.
  int open() {
    return open.size();
  }

  /// Those of them that were there at the installation.
  long stillKept() {
    return kept.stream().filter(open::containsKey).count();
  }

  /// The measured algorithm is installed.
  void install(long nanos) {
    drop();
    installs++;
    if (state != State.LEFT) {
      state = State.RESTORING;
      installedNanos = nanos;
      dispatcher.install(
          ForcedBalancer.alone(measurement.algorithm(), this::forced),
          new ViewSpec.Local(),
          SeededRandom.of(0, "none", number),
          (delayNanos, task) -> {},
          index -> {},
          new Ports.Peers(number, measurement.plan().proxies()));
    }
  }

  /// Installations after the first are restarts; others make a run invalid.
  private long seed() {
    return Change.Restart.seed(
        measurement.plan().seed(), measurement.restarts() == 0 ? 0 : installs - 1);
  }

  private void drop() {
    new ArrayList<>(open.values()).forEach(lease -> lease.complete(Outcome.CANCELLED));
    open.clear();
    kept.clear();
    departed.clear();
  }

  private void forced(ForcedBalancer made) {
    balancer = Optional.of(made);
  }

  /// A lease that is open at the installation.
  void keep(int backend, long itsNumber) {
    int at = backend < 0 ? GONE : here(backend);
    if (at < 0) {
      departed.add(itsNumber);
    } else if (state == State.RESTORING) {
      balancer.orElseThrow().next(at);
      if (dispatcher.pick(PickContext.PLAIN) instanceof Picked lease) {
        open.put(itsNumber, lease);
        kept.add(itsNumber);
      }
    }
  }

  /// True once there is a fresh balancer to compare with.
  private boolean isAudited() {
    if (state == State.RESTORING) {
      dispatcher.install(
          ForcedBalancer.forcing(measurement.algorithm(), this::forced),
          measurement.view(),
          new CountedCoins(SeededRandom.of(seed(), "coins", number)),
          (delayNanos, task) -> {},
          index -> {},
          new Ports.Peers(number, measurement.plan().proxies()),
          measurement.plan().serving().attempts());
      state = State.AUDITED;
    }
    return state == State.AUDITED;
  }

  /// A recorded decision: a backend's number, [ForcedBalancer#REFUSED] or [ForcedBalancer#WAITS].
  void pick(int recorded, long key) {
    if (state == State.LEFT) {
      return;
    }
    PickContext context = new PickContext(key, pinned);
    pinned = "";
    Optional<Further> why = further;
    further = Optional.empty();
    List<Backend> before = List.copyOf(tried);
    tried.clear();
    if (recorded != ForcedBalancer.WAITS) {
      findings.pick();
    }
    if (!isAudited()) {
      findings.differ(number, "a pick, and no installation on record");
      return;
    }
    int at = recorded < 0 ? recorded : here(recorded);
    if (at == GONE && recorded >= 0) {
      findings.differ(number, "recorded backend " + recorded + ", which is not there");
      sequence++;
      return;
    }
    ForcedBalancer forced = balancer.orElseThrow();
    forced.next(at);
    if (why.isPresent() && why.get() == Further.RETRY && !dispatcher.grantsRetry()) {
      findings.differ(number, "a retry that the budget does not grant");
    }
    PickResult result =
        why.isPresent()
            ? dispatcher.pickAgain(context, why.get(), before)
            : dispatcher.pick(context);
    if (result instanceof Picked lease) {
      open.put(sequence++, lease);
    }
    if (forced.answer() != at) {
      findings.differ(
          number, "recorded " + name(at) + ", a fresh balancer picks " + name(forced.answer()));
    }
  }

  /// The cookie of the request of the next pick names that backend, or one that is unknown.
  void pin(int backend) {
    pinned = backend >= 0 && backend < backends.size() ? backends.get(backend).id() : UNKNOWN;
  }

  /// The request of the next pick has tried that backend, or one that has left.
  void tried(Further why, int backend) {
    further = Optional.of(why);
    tried.add(
        backend >= 0 && backend < backends.size()
            ? backends.get(backend)
            : new Backend(UNKNOWN, 1));
  }

  /// A retry was refused by the budget.
  void overBudget() {
    if (isAudited() && dispatcher.grantsRetry()) {
      findings.differ(number, "a retry was refused that the budget grants");
    }
  }

  /// A backend said something.
  void observe(BackendSignal signal) {
    if (isAudited()) {
      dispatcher.observe(signal);
    }
  }

  /// Where a backend stands in the set of now; [#GONE] if it does not.
  private int here(int backend) {
    return backend < backends.size()
        ? dispatcher.backends().indexOf(backends.get(backend).id())
        : GONE;
  }

  private String name(int index) {
    return switch (index) {
      case ForcedBalancer.REFUSED -> "no backend";
      case ForcedBalancer.WAITS -> "to wait";
      default -> dispatcher.backends().get(index).id();
    };
  }

  /// A lease ended.
  void complete(long itsNumber, Outcome outcome) {
    if (!isAudited() || departed.remove(itsNumber)) {
      return;
    }
    Picked lease = open.remove(itsNumber);
    if (lease == null) {
      findings.differ(number, "the end of pick " + itsNumber + ", which is not in flight");
    } else {
      lease.complete(outcome);
    }
  }

  /// The view takes a copy.
  ///
  /// @param picksNotIncluded how many of the last picks the copy does not know of; they may go back
  ///     to before the installation
  void refresh(Snapshot copy, int picksNotIncluded) {
    if (isAudited()) {
      dispatcher.refreshView(copy, Math.max(0, dispatcher.picks() - picksNotIncluded));
    }
  }

  /// The set of backends becomes another. The true counts are on it already.
  void update(BackendSet next) {
    if (state == State.LEFT) {
      return;
    }
    var _ = isAudited();
    dispatcher.update(next);
  }

  /// The set of backends becomes another, which nobody knows.
  void leave() {
    drop();
    state = State.LEFT;
  }

  /// Coins, counted: an algorithm that never asks for one is recognised by it, whatever its name.
  private final class CountedCoins implements Ports.RandomSource {
    private final Ports.RandomSource random;

    CountedCoins(Ports.RandomSource random) {
      this.random = random;
    }

    @Override
    public int below(int bound) {
      findings.coin();
      return random.below(bound);
    }

    @Override
    public double unit() {
      findings.coin();
      return random.unit();
    }
  }
}
