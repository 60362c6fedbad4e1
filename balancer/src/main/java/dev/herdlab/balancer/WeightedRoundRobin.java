package dev.herdlab.balancer;

import java.util.List;

/// Picks each backend as many times in a row as its weight says, then the next: {5,1,1} gives
/// a a a a a b c. The naive way, here to be compared with the smooth one.
///
/// Cost: O(1), no draw. Owner thread: its dispatcher's.
/// Source: the complaints about its runs, traefik/traefik#6205 and cloudflare/pingora#51.
final class WeightedRoundRobin implements LoadBalancer {
  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "weighted-round-robin",
              "Picks each backend as many times in a row as its weight says, then the next one.",
              List.of(),
              "O(1)",
              List.of("traefik/traefik#6205", "cloudflare/pingora#51"));
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          return new WeightedRoundRobin(backends);
        }
      };

  private BackendSet backends;
  private int cursor;
  private int picksHere;

  private WeightedRoundRobin(BackendSet backends) {
    this.backends = backends;
  }

  @Override
  public PickResult pick(PickContext context) {
    int size = backends.size();
    if (size == 0) {
      return NoBackend.EMPTY_SET;
    }
    int index = cursor;
    picksHere++;
    if (picksHere >= backends.get(index).weight()) {
      picksHere = 0;
      cursor = index + 1 == size ? 0 : index + 1;
    }
    return new Picked(backends, index);
  }

  /// The cursor stays on its backend if that survives; otherwise the cycle starts anew.
  @Override
  public void update(BackendSet next) {
    int at = cursor < backends.size() ? next.indexOf(backends.get(cursor).id()) : -1;
    backends = next;
    cursor = Math.max(at, 0);
    if (at < 0 || picksHere >= next.get(at).weight()) {
      picksHere = 0;
    }
  }
}
