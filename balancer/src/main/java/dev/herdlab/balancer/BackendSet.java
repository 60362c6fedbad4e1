package dev.herdlab.balancer;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// The backends that may be picked: immutable, dense (indices 0 to size - 1) and versioned.
///
/// A change of membership makes a new set of the next version. Backends are the same across sets
/// when their ids are equal; whoever keeps state by index carries it over with [#indexOf].
///
/// Cost: O(1) unless said otherwise. Owner thread: any (immutable).
public final class BackendSet {
  private final long version;
  private final Backend[] backends;
  private final Map<String, Integer> indexById;

  private BackendSet(long version, List<Backend> backends) {
    this.version = version;
    this.backends = backends.toArray(new Backend[0]);
    this.indexById = HashMap.newHashMap(this.backends.length);
    for (int i = 0; i < this.backends.length; i++) {
      if (indexById.put(this.backends[i].id(), i) != null) {
        throw new IllegalArgumentException(
            "backends: " + this.backends[i].id() + " twice (expected: unique ids)");
      }
    }
  }

  /// The first version of a set; may be empty.
  public static BackendSet of(List<Backend> backends) {
    return new BackendSet(1, backends);
  }

  /// `size` backends of weight 1 named `b0`, `b1`, ...
  public static BackendSet ofSize(int size) {
    List<Backend> backends = new ArrayList<>(size);
    for (int i = 0; i < size; i++) {
      backends.add(Backend.of("b" + i));
    }
    return of(backends);
  }

  /// The next version, with these backends instead.
  public BackendSet next(List<Backend> backends) {
    return new BackendSet(version + 1, backends);
  }

  /// Number of backends.
  public int size() {
    return backends.length;
  }

  /// The backend at `index` (0 to size - 1).
  public Backend get(int index) {
    return backends[index];
  }

  /// Index of the backend named `id`, or -1.
  public int indexOf(String id) {
    Integer index = indexById.get(id);
    return index == null ? -1 : index;
  }

  /// Index in `next` of the first backend that is there too, looking from index `from` on and round
  /// again; -1 if none is. O(size). Cursors move with it.
  public int survivorFrom(int from, BackendSet next) {
    for (int i = 0; i < backends.length; i++) {
      int at = next.indexOf(backends[(from + i) % backends.length].id());
      if (at >= 0) {
        return at;
      }
    }
    return -1;
  }

  /// 1 for the first set of a pool, one more for each change.
  public long version() {
    return version;
  }

  @Override
  public String toString() {
    return "v" + version + List.of(backends);
  }
}
