package dev.herdlab.balancer;

import java.util.List;

/// The one counter: the balancer, the view and the in-flight counts of one proxy instance.
///
/// It alone changes counts: up at the pick, down at the lease's completion, once, never below zero.
/// It keeps the requests that wait for a backend, and asks for them again, the oldest first, when a
/// lease ends, the set changes or a balancer is installed.
///
/// The balancer and view may be replaced at any time; counts stay, and a completion goes to the
/// balancer that picked.
///
/// Cost: O(1) beside the algorithm's own, and one question for each request that waits until none
/// can be served. Owner thread: its proxy's event loop, or the model's.
public final class Dispatcher {
  /// The dispatcher of a lease that was never opened.
  static final Dispatcher NONE = none();

  private final int proxy;
  private final Counts own;
  private final Counts truth;
  private final Ports.NanoClock clock;
  private final DispatchListener listener;
  private final OpenLeases open = new OpenLeases();
  private final WaitingList waiting = new WaitingList(this::ask);
  private BackendSet backends;
  private View view;
  private LoadBalancer balancer = LoadBalancer.NONE;
  private LoadBalancer.Wants wants = LoadBalancer.Wants.NOTHING;
  private AttemptState attempts = new AttemptState(AttemptPolicy.NONE, AttemptCounts.NONE);
  private TriedView triedView = new TriedView(index -> 0);
  private long nowNanos;
  private long picks;
  private long installs;

  /// A dispatcher without an algorithm: every pick is refused until [#install].
  ///
  /// @param proxy this instance's number, from 0
  /// @param backends what may be picked
  /// @param truth the counts of the whole system on the same set, shared by all dispatchers of the
  ///     thread
  /// @param clock read once for each event
  /// @param listener hears of each event
  /// @throws IllegalArgumentException if `truth` counts on another set
  public Dispatcher(
      int proxy,
      BackendSet backends,
      Counts truth,
      Ports.NanoClock clock,
      DispatchListener listener) {
    checkTruth(truth, backends);
    this.proxy = proxy;
    this.backends = backends;
    this.own = new Counts(backends);
    this.truth = truth;
    this.clock = clock;
    this.listener = listener;
    this.view = new FreshView(own, own);
  }

  private static Dispatcher none() {
    BackendSet nothing = BackendSet.ofSize(0);
    return new Dispatcher(-1, nothing, new Counts(nothing), () -> 0, DispatchListener.NONE);
  }

  private static void checkTruth(Counts truth, BackendSet backends) {
    if (truth.backends() != backends) {
      throw new IllegalArgumentException(
          "true counts: on another set, version %d (expected: the dispatcher's, version %d)"
              .formatted(truth.backends().version(), backends.version()));
    }
  }

  /// Replaces the balancer and its view at a proxy that is alone, as below.
  public void install(
      ConfiguredAlgorithm algorithm,
      ViewSpec viewSpec,
      Ports.RandomSource random,
      Ports.Timer timer,
      Ports.Prober prober) {
    install(algorithm, viewSpec, random, timer, prober, Ports.Peers.ALONE);
  }

  /// Replaces the balancer and its view, as below; each request has one attempt.
  public void install(
      ConfiguredAlgorithm algorithm,
      ViewSpec viewSpec,
      Ports.RandomSource random,
      Ports.Timer timer,
      Ports.Prober prober,
      Ports.Peers peers) {
    install(algorithm, viewSpec, random, timer, prober, peers, AttemptPolicy.NONE);
  }

  /// Replaces the balancer and its view. The new one starts without memory; counts are kept. The
  /// old one still hears of the completion of its picks, but its timers no longer fire. Budget and
  /// latencies of the attempts begin anew.
  public void install(
      ConfiguredAlgorithm algorithm,
      ViewSpec viewSpec,
      Ports.RandomSource random,
      Ports.Timer timer,
      Ports.Prober prober,
      Ports.Peers peers,
      AttemptPolicy policy) {
    nowNanos = clock.nanos();
    installs++;
    view =
        switch (viewSpec) {
          case ViewSpec.Local local -> new FreshView(own, own);
          case ViewSpec.Shared shared -> new FreshView(truth, own);
          case ViewSpec.Reported reported -> new ReportedView(backends, own);
          case ViewSpec.SharedStale stale -> new StaleView(backends, open, own, stale, picks);
        };
    attempts = new AttemptState(policy, attempts.counts(picks));
    if (policy.isActive()) {
      triedView = new TriedView(view);
      view = triedView;
    }
    Ports ports = new Ports(() -> nowNanos, random, untilReplaced(timer), prober, peers);
    balancer = algorithm.create(backends, view, ports);
    wants = wants(viewSpec, balancer.wants());
    listener.installed(proxy, nowNanos);
    open.forEachBefore(
        picks, picked -> listener.kept(proxy, indexOf(picked), picked.sequence(), nowNanos));
    waiting.serve();
  }

  private static LoadBalancer.Wants wants(ViewSpec viewSpec, LoadBalancer.Wants balancers) {
    return viewSpec instanceof ViewSpec.Reported
        ? new LoadBalancer.Wants(true, balancers.idleChoices(), balancers.cookies())
        : balancers;
  }

  /// Takes the balancer out again: every pick is refused until the next [#install]. The old one is
  /// treated as at a replacement.
  public void uninstall() {
    nowNanos = clock.nanos();
    installs++;
    balancer = LoadBalancer.NONE;
    wants = LoadBalancer.Wants.NOTHING;
    waiting.serve();
  }

  private int indexOf(Picked picked) {
    return picked.backends() == backends ? picked.index() : backends.indexOf(picked.backend().id());
  }

  private Ports.Timer untilReplaced(Ports.Timer timer) {
    long install = installs;
    return (delayNanos, task) ->
        timer.schedule(
            delayNanos,
            () -> {
              if (install == installs) {
                nowNanos = clock.nanos();
                task.run();
              }
            });
  }

  /// Picks a backend and opens the lease on it, for a request that can't wait: it is refused where
  /// it would have to.
  ///
  /// @throws IllegalStateException as below
  public PickResult pick(PickContext context) {
    nowNanos = clock.nanos();
    return notWaiting(ask(context));
  }

  /// Picks a backend and opens the lease on it; or has the request wait until that can be done.
  ///
  /// @param waiter hears of it if the answer is [Waiting]; no other of its requests may be waiting
  /// @throws IllegalStateException if the algorithm picked from another set than it was given, or
  ///     returned a lease twice
  public PickResult pick(PickContext context, Waiter waiter) {
    nowNanos = clock.nanos();
    PickResult result = ask(context);
    return result instanceof Waiting place && !waiting.add(waiter, context, place.atMost())
        ? NoBackend.TOO_MANY_WAIT
        : result;
  }

  /// Picks a backend for a further attempt of a request, and opens the lease on it: one that was
  /// not tried, as [LoadBalancer#pickAgain] says. It can't wait: it is refused where it would have
  /// to.
  ///
  /// @param context of the request's first attempt
  /// @param tried backends that the request has tried
  public PickResult pickAgain(PickContext context, Further why, List<Backend> tried) {
    nowNanos = clock.nanos();
    boolean[] marked = new boolean[backends.size()];
    int left = marked.length;
    for (Backend each : tried) {
      int index = backends.indexOf(each.id());
      listener.again(proxy, why, index, nowNanos);
      if (index >= 0 && !marked[index]) {
        marked[index] = true;
        left--;
      }
    }
    PickResult result = left == 0 ? balancer.pick(context) : another(context, marked);
    if (result instanceof Picked picked) {
      picked.isFor(why);
      attempts.further(why);
    }
    return notWaiting(told(result, context));
  }

  private PickResult another(PickContext context, boolean[] tried) {
    triedView.begin(tried);
    try {
      return balancer.pickAgain(context, index -> tried[index]);
    } finally {
      triedView.end();
    }
  }

  private static PickResult notWaiting(PickResult result) {
    return result instanceof Waiting ? NoBackend.ALL_BUSY : result;
  }

  /// What requests may try beside their first attempt.
  public AttemptPolicy attemptPolicy() {
    return attempts.policy();
  }

  /// How many attempts there were, since the beginning.
  public AttemptCounts attemptCounts() {
    return attempts.counts(picks);
  }

  /// Draws one retry from the budget; if it has too little left, the listener hears of it.
  public boolean grantsRetry() {
    nowNanos = clock.nanos();
    boolean granted = attempts.grantsRetry(nowNanos);
    if (!granted) {
      listener.overBudget(proxy, nowNanos);
    }
    return granted;
  }

  long hedgeDelayNanos() {
    return attempts.hedgeDelayNanos();
  }

  /// A request whose first pick was then is answered: the end of its lease is the event at hand.
  void answered(long firstNanos) {
    attempts.answered(nowNanos - firstNanos);
  }

  /// A request that waits is given up; nothing if it does not.
  public void leave(Waiter waiter) {
    waiting.remove(waiter);
  }

  /// Number of requests that wait for a backend.
  public int waiting() {
    return waiting.size();
  }

  private PickResult ask(PickContext context) {
    PickResult result = told(balancer.pick(context), context);
    if (result instanceof Picked) {
      attempts.request(nowNanos);
    }
    return result;
  }

  private PickResult told(PickResult result, PickContext context) {
    switch (result) {
      case Picked picked -> open(picked, context);
      case NoBackend refusal -> listener.refused(proxy, context, nowNanos);
      case Waiting place ->
          listener.waits(proxy, context, backends.indexOf(context.pinned()), nowNanos);
    }
    return result;
  }

  private void open(Picked picked, PickContext context) {
    if (picked.backends() != backends) {
      throw new IllegalStateException(
          "picked from another set, version %d (expected: the dispatcher's, version %d)"
              .formatted(picked.backends().version(), backends.version()));
    }
    picked.open(this, balancer, picks++, nowNanos);
    open.add(picked);
    own.raise(picked);
    truth.raise(picked);
    view.picked(picked);
    listener.picked(proxy, picked, context);
  }

  /// Lets the view show a new copy of the true counts. One on another set is mapped to this one by
  /// the backends' ids.
  ///
  /// @param picksIncluded number of this dispatcher's picks that the copy knows of: [#picks] at the
  ///     instant at which its own counts went into it
  /// @throws IllegalArgumentException if the copy knows of picks that were not made
  public void refreshView(Snapshot snapshot, long picksIncluded) {
    if (picksIncluded < 0 || picksIncluded > picks) {
      throw new IllegalArgumentException(
          "picks included: " + picksIncluded + " (expected: 0 to " + picks + ")");
    }
    nowNanos = clock.nanos();
    Snapshot here = snapshot.on(backends);
    view.refresh(here, picksIncluded);
    listener.refreshed(proxy, here, picks - picksIncluded, nowNanos);
  }

  /// Brings a backend's word to the listener, the view and the balancer.
  public void observe(BackendSignal signal) {
    nowNanos = clock.nanos();
    listener.observed(proxy, backends.indexOf(signal.backend()), signal, nowNanos);
    view.observe(signal);
    balancer.observe(signal);
  }

  /// What balancer and view need of the host; it changes with the installation alone.
  public LoadBalancer.Wants wants() {
    return wants;
  }

  /// Number of backends that the balancer knows to be idle and has not picked since.
  public int idleQueueLength() {
    return balancer.idleQueueLength();
  }

  /// Replaces the set of backends. The owner of the true counts updates those itself, before.
  ///
  /// @throws IllegalArgumentException if the true counts are not on that set
  public void update(BackendSet next) {
    checkTruth(truth, next);
    nowNanos = clock.nanos();
    backends = next;
    own.update(next);
    view.update(next);
    balancer.update(next);
    listener.updated(proxy, next.version(), nowNanos);
    waiting.serve();
  }

  /// What may be picked now.
  public BackendSet backends() {
    return backends;
  }

  /// This proxy's own counts; only this dispatcher changes them.
  public Counts inFlight() {
    return own;
  }

  /// Number of leases opened so far.
  public long picks() {
    return picks;
  }

  void completed(Picked picked, Outcome outcome) {
    nowNanos = clock.nanos();
    open.remove(picked);
    own.lower(picked);
    truth.lower(picked);
    view.completed(picked);
    attempts.completed(picked, outcome);
    try {
      picked.balancer().completed(picked, outcome);
    } finally {
      listener.completed(proxy, picked, outcome, nowNanos);
      waiting.serve();
    }
  }
}
