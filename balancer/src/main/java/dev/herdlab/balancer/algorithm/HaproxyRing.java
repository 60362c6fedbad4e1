package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Ports;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/// HAProxy's ring, on which keys fall and its `random` draws: 16 points for each unit of weight,
/// and a key or draw falls to the nearest point. Backends of equal weight so have unequal shares:
/// with 16 points each the standard deviation of a share is about a fifth of it.
///
/// Cost: O(log of the number of points) a draw; O(points · log points) when the set changes. Owner
/// thread: its balancer's.
/// Source: HAProxy src/lb_chash.c and `full_hash` in include/haproxy/intops.h (3.5-dev5, commit
/// 50872da), with its default `hash-key id`.
/// Deviation: of equal points the one of the lower index counts; HAProxy's order there is that of
/// insertion.
/// Deviation: a weight above 256, HAProxy's largest, has the points of 256.
final class HaproxyRing implements Ring {
  private static final int POINTS_PER_WEIGHT = 16;
  private static final int MAX_WEIGHT = 256;

  /// `SRV_EWGHT_RANGE`: the numbers hashed for one server do not meet the next one's.
  private static final int MAX_POINTS = POINTS_PER_WEIGHT * MAX_WEIGHT;

  private static final long CIRCLE = 1L << 32;

  private final Ports.RandomSource random;
  private final Map<String, Integer> numbers = new HashMap<>();

  /// Each point's place in the upper half, its backend's index in the lower; sorted.
  private long[] points = new long[0];

  HaproxyRing(BackendSet backends, Ports.RandomSource random) {
    this.random = random;
    update(backends);
  }

  /// One ring that becomes that of each set it is given.
  static Function<BackendSet, Ring> following(Ports.RandomSource random) {
    HaproxyRing ring = new HaproxyRing(BackendSet.ofSize(0), random);
    return backends -> {
      ring.update(backends);
      return ring;
    };
  }

  /// Each server has the lowest number, from 1, that was free when it came, and keeps it.
  void update(BackendSet next) {
    numbers.keySet().removeIf(id -> next.indexOf(id) < 0);
    Set<Integer> taken = new HashSet<>(numbers.values());
    int number = 1;
    int count = 0;
    for (int i = 0; i < next.size(); i++) {
      if (!numbers.containsKey(next.get(i).id())) {
        while (taken.contains(number)) {
          number++;
        }
        taken.add(number);
        numbers.put(next.get(i).id(), number);
      }
      count += pointsOf(next, i);
    }
    points = new long[count];
    int at = 0;
    for (int i = 0; i < next.size(); i++) {
      int key = numbers.getOrDefault(next.get(i).id(), 0) * MAX_POINTS;
      for (int j = 0; j < pointsOf(next, i); j++) {
        points[at] = Integer.toUnsignedLong(fullHash(key + j)) << 31 | i;
        at++;
      }
    }
    Arrays.sort(points);
  }

  private static int pointsOf(BackendSet set, int index) {
    return POINTS_PER_WEIGHT * Math.min(set.get(index).weight(), MAX_WEIGHT);
  }

  /// A backend's index. The ring must not be empty.
  int draw() {
    return nearest((long) (random.unit() * CIRCLE));
  }

  /// The index of the backend whose point is nearest to `place` (0 to 2^32 - 1), that before it if
  /// two are.
  int nearest(long place) {
    return ownerOf(nearestPoint(place));
  }

  /// The point nearest to the key's low half.
  @Override
  public int pointOf(long key) {
    return nearestPoint(key & (CIRCLE - 1));
  }

  @Override
  public int ownerOf(int point) {
    return (int) (points[point] & Integer.MAX_VALUE);
  }

  @Override
  public int points() {
    return points.length;
  }

  private int nearestPoint(long place) {
    int after = firstFrom(place);
    int next = after == points.length ? 0 : after;
    int previous = next == 0 ? points.length - 1 : next - 1;
    long back = Math.floorMod(place - placeOf(previous), CIRCLE);
    long ahead = Math.floorMod(placeOf(next) - place, CIRCLE);
    return back <= ahead ? previous : next;
  }

  private int firstFrom(long place) {
    int low = 0;
    int high = points.length;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (placeOf(middle) < place) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  private long placeOf(int point) {
    return points[point] >>> 31;
  }

  /// Bob Jenkins' full avalanche hash of a whole number, times a large prime.
  static int fullHash(int number) {
    int a = number;
    a = (a + 0x7ed55d16) + (a << 12);
    a = (a ^ 0xc761c23c) ^ (a >>> 19);
    a = (a + 0x165667b1) + (a << 5);
    a = (a + 0xd3a2646c) ^ (a << 9);
    a = (a + 0xfd7046c5) + (a << 3);
    a = (a ^ 0xb55a4f09) ^ (a >>> 16);
    return a * (int) 3_221_225_473L;
  }
}
