package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.View;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// Some of the backends, in a stated order, and their requests in flight by their place among the
/// members: so that a [Selector] picks among these alone.
///
/// Cost: O(1). Owner thread: its balancer's.
final class Members implements LoadMetric {
  private final View view;
  private int[] indices;

  /// @param indices of the members in the balancer's set; not copied, and may change
  Members(View view, int[] indices) {
    this.view = view;
    this.indices = indices;
  }

  void become(int[] others) {
    indices = others;
  }

  int size() {
    return indices.length;
  }

  /// The index in the balancer's set of the member at `place`.
  int index(int place) {
    return indices[place];
  }

  @Override
  public double load(int place) {
    return view.inFlight(indices[place]);
  }

  /// The members as a set of their own, whose indices are their places.
  ///
  /// @param backends the balancer's set
  BackendSet among(BackendSet backends) {
    List<Backend> members = new ArrayList<>(indices.length);
    for (int index : indices) {
      members.add(backends.get(index));
    }
    return BackendSet.of(members);
  }

  /// The indices 0 to `size` - 1.
  static int[] all(int size) {
    int[] indices = new int[size];
    Arrays.setAll(indices, index -> index);
    return indices;
  }
}
