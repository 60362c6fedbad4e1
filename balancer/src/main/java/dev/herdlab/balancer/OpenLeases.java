package dev.herdlab.balancer;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The leases of one dispatcher that are open, oldest first: a list through the leases themselves.
///
/// Cost: O(1), nothing is allocated. Owner thread: its dispatcher's.
final class OpenLeases {
  private @Nullable Picked oldest;
  private @Nullable Picked newest;

  void add(Picked picked) {
    picked.older = newest;
    if (newest == null) {
      oldest = picked;
    } else {
      newest.newer = picked;
    }
    newest = picked;
  }

  void remove(Picked picked) {
    Picked older = picked.older;
    Picked newer = picked.newer;
    if (older == null) {
      oldest = newer;
    } else {
      older.newer = newer;
    }
    if (newer == null) {
      newest = older;
    } else {
      newer.older = older;
    }
    // An ended lease that somebody keeps must not keep others.
    picked.older = null;
    picked.newer = null;
  }

  /// Shows those whose sequence number is below `end`, oldest first.
  void forEachBefore(long end, Consumer<Picked> visitor) {
    for (Picked at = oldest; at != null && at.sequence() < end; at = at.newer) {
      visitor.accept(at);
    }
  }
}
