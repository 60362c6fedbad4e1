package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;

/// Traefik's full scan: the least loaded; among equal ones that with the earliest deadline, which
/// then moves by 1 / weight. First deadlines are staggered: each is 1 / weight after the one
/// before.
///
/// Cost: O(n), two passes. Owner thread: its balancer's.
/// Source: Traefik pkg/server/service/loadbalancer/leasttime/leasttime.go (commit fd5a576).
final class TraefikScan implements Selector {
  private final PerBackend<Deadline> deadlines;
  private double latest;

  private static final class Deadline {
    private double value;
  }

  TraefikScan(BackendSet backends) {
    this.deadlines = new PerBackend<>(backends, this::afterTheLatest);
  }

  private Deadline afterTheLatest(Backend newcomer) {
    latest += 1.0 / newcomer.weight();
    Deadline deadline = new Deadline();
    deadline.value = latest;
    return deadline;
  }

  @Override
  public int select(LoadMetric metric, int size) {
    if (size == 1) {
      return 0;
    }
    double least = Double.POSITIVE_INFINITY;
    int first = 0;
    int count = 0;
    for (int i = 0; i < size; i++) {
      double load = metric.load(i);
      if (load < least) {
        least = load;
        first = i;
        count = 1;
      } else if (load == least) {
        count++;
      }
    }
    return count == 1 ? first : earliest(metric, least, first, size);
  }

  private int earliest(LoadMetric metric, double least, int first, int size) {
    int earliest = first;
    for (int i = first + 1; i < size; i++) {
      if (metric.load(i) == least && deadlines.get(i).value < deadlines.get(earliest).value) {
        earliest = i;
      }
    }
    Deadline moved = deadlines.get(earliest);
    moved.value += 1.0 / deadlines.backends().get(earliest).weight();
    latest = Math.max(latest, moved.value);
    return earliest;
  }

  @Override
  public void update(BackendSet before, BackendSet after) {
    deadlines.update(after);
  }
}
