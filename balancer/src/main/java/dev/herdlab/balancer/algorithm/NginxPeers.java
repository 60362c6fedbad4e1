package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;

/// What nginx remembers of the backends under each of its methods: the numbers of smooth weighted
/// round-robin, and failures, which lower a weight and shut a backend out for a while.
///
/// A backend with `max-fails` failures is left out until `fail-timeout` has passed since it was
/// last checked, then gets one request to show that it is well. Each failure takes weight /
/// max-fails from its effective weight, which grows back by one with each step it takes part in.
/// With one backend failures do not count; with `max-fails` 0 they never do.
///
/// Cost: O(1), [#next] O(n). Owner thread: its balancer's.
/// Source: nginx src/http/ngx_http_upstream_round_robin.c (1.31.4, commit 3f6f782).
/// Deviation: instants are in ns, nginx's in whole seconds.
final class NginxPeers {
  static final Parameter MAX_FAILS =
      Parameter.whole(
          "max-fails",
          0,
          1000,
          "1",
          "failures that shut a backend out, each taking weight / max-fails from its weight until it"
              + " grows back; 0: none do (nginx's rules)");

  /// The refusal when every backend is shut out.
  static final NoBackend NONE_LEFT = new NoBackend("every backend failed lately");

  private final int maxFails;
  private final long failTimeoutNanos;
  private final Ports.NanoClock clock;
  private final PerBackend<Peer> peers;
  private long total;

  private static final class Peer {
    private int weight;
    private int effective;
    private long current;
    private int fails;
    private long accessedNanos;
    private long checkedNanos;

    /// `checkedNanos` long ago: the first pick is its first check.
    private Peer(Backend backend, long current, long checkedNanos) {
      this.weight = backend.weight();
      this.effective = weight;
      this.current = current;
      this.accessedNanos = checkedNanos;
      this.checkedNanos = checkedNanos;
    }
  }

  /// Where the numbers of a backend begin.
  enum Start {
    ZERO,
    WEIGHT
  }

  NginxPeers(
      BackendSet backends,
      Start start,
      int maxFails,
      long failTimeoutNanos,
      Ports.NanoClock clock) {
    this.maxFails = maxFails;
    this.failTimeoutNanos = failTimeoutNanos;
    this.clock = clock;
    this.peers =
        new PerBackend<>(
            backends,
            backend ->
                new Peer(
                    backend,
                    start == Start.WEIGHT ? backend.weight() : 0,
                    clock.nanos() - failTimeoutNanos - 1));
  }

  /// As the settings `max-fails` and `fail-timeout` say.
  static NginxPeers create(Settings settings, BackendSet backends, Ports ports) {
    return new NginxPeers(
        backends,
        Start.ZERO,
        settings.whole("max-fails"),
        settings.nanos("fail-timeout"),
        ports.clock());
  }

  /// Whether the backend at `index` may be picked.
  boolean isEligible(int index) {
    Peer peer = peers.get(index);
    return maxFails == 0
        || peer.fails < maxFails
        || clock.nanos() - peer.checkedNanos > failTimeoutNanos
        || peers.size() == 1;
  }

  /// The next in smooth weighted round-robin over those that may be picked; [Selector#NONE] if none
  /// may.
  int next() {
    begin();
    int best = Selector.NONE;
    for (int i = 0; i < peers.size(); i++) {
      if (isEligible(i)) {
        raise(i);
        if (best == Selector.NONE || current(i) > current(best)) {
          best = i;
        }
      }
    }
    if (best != Selector.NONE) {
      take(best);
    }
    return best;
  }

  /// Begins a step over some backends: [#raise] each, then [#take] one.
  void begin() {
    total = 0;
  }

  void raise(int index) {
    Peer peer = peers.get(index);
    peer.current += peer.effective;
    total += peer.effective;
    if (peer.effective < peer.weight) {
      peer.effective++;
    }
  }

  long current(int index) {
    return peers.get(index).current;
  }

  /// Ends a step, or takes a backend without one: it is looked at anew if that was long ago.
  void take(int index) {
    Peer peer = peers.get(index);
    peer.current -= total;
    total = 0;
    if (clock.nanos() - peer.checkedNanos > failTimeoutNanos) {
      peer.checkedNanos = clock.nanos();
    }
  }

  void completed(Picked picked, Outcome outcome) {
    Peer peer = peers.of(picked);
    if (peer == null) {
      return;
    }
    if (peers.size() == 1) {
      peer.fails = 0;
    } else if (Failures.unanswered(outcome)) {
      peer.fails++;
      peer.accessedNanos = clock.nanos();
      peer.checkedNanos = clock.nanos();
      if (maxFails > 0) {
        peer.effective = Math.max(0, peer.effective - peer.weight / maxFails);
      }
    } else if (peer.accessedNanos < peer.checkedNanos) {
      peer.fails = 0;
    }
  }

  /// Survivors keep their numbers; one whose weight changed is trusted with the new one.
  void update(BackendSet next) {
    peers.update(next);
    for (int i = 0; i < next.size(); i++) {
      Peer peer = peers.get(i);
      int weight = next.get(i).weight();
      if (weight != peer.weight) {
        peer.weight = weight;
        peer.effective = weight;
      }
    }
  }
}
