package dev.herdlab.balancer;

import java.util.List;

/// Picks the backends in turn, in index order.
///
/// Proxies that start together with `start=first` walk in step; `start=random` draws each proxy's first.
///
/// Cost: O(1), no draw per pick. Owner thread: its dispatcher's.
/// Source: the published herd program (cursor from 0); kubernetes/ingress-nginx#4023 for the random start.
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
                      "start", List.of("first", "random"), "first", "which backend is picked first")),
              "O(1)",
              List.of("kubernetes/ingress-nginx#4023 (why a random start)"));
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          boolean first = parameters.choice("start").equals("first") || backends.size() == 0;
          return new RoundRobin(backends, first ? 0 : ports.random().below(backends.size()));
        }
      };

  private BackendSet backends;
  private int cursor;

  private RoundRobin(BackendSet backends, int cursor) {
    this.backends = backends;
    this.cursor = cursor;
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
    int moved = 0;
    for (int i = 0; i < backends.size(); i++) {
      int at = next.indexOf(backends.get((cursor + i) % backends.size()).id());
      if (at >= 0) {
        moved = at;
        break;
      }
    }
    backends = next;
    cursor = moved;
  }
}
