package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;

/// HAProxy's `leastconn`: the lowest key, which is 0 for an idle backend whatever its weight, and
/// else (in flight + 1) · 4096 / (16 · weight), rounded down: the load that it would have with this
/// request.
///
/// Backends of one key stand in four lists, each first come, first served; a backend joins a random
/// one whenever its key changes, and a pick begins at a random one.
///
/// Cost: O(n), one draw and one more for each key that changed. Owner thread: its balancer's.
/// Source: HAProxy src/lb_fwlc.c (3.5-dev5, commit 50872da), `FWLC_LISTS_NB` 4.
/// Deviation: keys that change without a pick or completion of this proxy (a view of more than its
/// own) are noticed at the next pick, in index order.
final class HaproxyLeastConn implements Selector {
  private static final int LISTS = 4;
  private static final int MAX_EFFECTIVE_WEIGHT = 4096;
  private static final int SCALE = 16;

  /// The key of a newcomer until the next pick.
  private static final long NOT_QUEUED = -1;

  private final LoadMetric inFlight;
  private final Ports.RandomSource random;
  private final PerBackend<Place> places;
  private long arrivals;

  private static final class Place {
    private long key = NOT_QUEUED;
    private int list;
    private long arrival;
  }

  HaproxyLeastConn(BackendSet backends, LoadMetric inFlight, Ports.RandomSource random) {
    this.inFlight = inFlight;
    this.random = random;
    this.places = new PerBackend<>(backends, newcomer -> new Place());
  }

  static long key(Backend backend, long inFlight) {
    return inFlight == 0
        ? 0
        : (inFlight + 1) * MAX_EFFECTIVE_WEIGHT / ((long) SCALE * backend.weight());
  }

  private void reposition(int index, long inFlight) {
    Place place = places.get(index);
    long key = key(places.backends().get(index), inFlight);
    if (key != place.key) {
      place.key = key;
      place.list = random.below(LISTS);
      place.arrival = arrivals;
      arrivals++;
    }
  }

  @Override
  public int select(LoadMetric metric, int size) {
    long least = Long.MAX_VALUE;
    for (int i = 0; i < size; i++) {
      reposition(i, (long) metric.load(i));
      least = Math.min(least, places.get(i).key);
    }
    int begin = random.below(LISTS);
    int chosen = NONE;
    for (int i = 0; i < size; i++) {
      Place place = places.get(i);
      if (place.key == least && (chosen == NONE || comesBefore(place, places.get(chosen), begin))) {
        chosen = i;
      }
    }
    reposition(chosen, (long) metric.load(chosen) + 1);
    return chosen;
  }

  private static boolean comesBefore(Place one, Place other, int begin) {
    int oneTurn = (one.list - begin + LISTS) % LISTS;
    int otherTurn = (other.list - begin + LISTS) % LISTS;
    return oneTurn < otherTurn || (oneTurn == otherTurn && one.arrival < other.arrival);
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    int index = places.backends().indexOf(picked.backend().id());
    if (index >= 0) {
      reposition(index, (long) inFlight.load(index));
    }
  }

  @Override
  public void update(BackendSet before, BackendSet after) {
    places.update(after);
  }
}
