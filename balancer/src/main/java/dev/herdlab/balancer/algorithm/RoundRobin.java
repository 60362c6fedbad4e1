package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// Picks the backends in turn, in index order.
///
/// Proxies that start together with `start=first` walk in step; `start=random` draws each proxy's
/// first.
///
/// Cost: O(1), no draw per pick. Owner thread: its dispatcher's.
/// Source: the published herd program (cursor from 0); kubernetes/ingress-nginx#4023 for the random
/// start.
final class RoundRobin implements LoadBalancer {
  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "round-robin",
              "Picks the backends in turn, in index order.",
              List.of(
                  Parameter.choice(
                      "start",
                      List.of("first", "random"),
                      "first",
                      "which backend is picked first; proxies that all start at the first walk in step")),
              "O(1), no draw",
              "whose turn it is; if that backend leaves, the turn passes to the next one that stays",
              List.of("kubernetes/ingress-nginx#4023 (why a random start)"),
              List.of());
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          Start start = parameters.choice("start").equals("random") ? Start.RANDOM : Start.FIRST;
          return new RoundRobin(backends, start, ports.random());
        }
      };

  private final Start start;
  private final Ports.RandomSource random;
  private BackendSet backends;
  private int cursor;

  /// Where the cursor begins.
  private enum Start {
    FIRST,
    RANDOM
  }

  private RoundRobin(BackendSet backends, Start start, Ports.RandomSource random) {
    this.start = start;
    this.random = random;
    this.backends = backends;
    this.cursor = begin();
  }

  private int begin() {
    return start == Start.RANDOM && backends.size() > 0 ? random.below(backends.size()) : 0;
  }

  @Override
  public PickResult pick(PickContext context) {
    int size = backends.size();
    if (size == 0) {
      return NoBackend.EMPTY_SET;
    }
    int index = cursor;
    cursor = index + 1 == size ? 0 : index + 1;
    return new Picked(backends, index);
  }

  /// The cursor stays on the backend that it stood on, or on the next one that survives.
  @Override
  public void update(BackendSet next) {
    int survivor = backends.survivorFrom(cursor, next);
    backends = next;
    cursor = survivor >= 0 ? survivor : begin();
  }
}
