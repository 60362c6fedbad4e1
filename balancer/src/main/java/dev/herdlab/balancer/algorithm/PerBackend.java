package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Picked;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// What an algorithm remembers of each backend, by index; survivors keep it when the set changes,
/// newcomers begin afresh, and what was known of one that left is forgotten.
///
/// Cost: O(1), [#update] O(n). Owner thread: its balancer's.
///
/// @param <T> what is remembered of one
final class PerBackend<T> {
  private final Function<Backend, T> newcomer;
  private BackendSet backends;
  private List<T> states;

  /// @param newcomer what is remembered of one that was never seen
  PerBackend(BackendSet backends, Function<Backend, T> newcomer) {
    this.newcomer = newcomer;
    this.backends = backends;
    this.states = new ArrayList<>(backends.size());
    for (int i = 0; i < backends.size(); i++) {
      states.add(newcomer.apply(backends.get(i)));
    }
  }

  int size() {
    return states.size();
  }

  /// The set that indices refer to.
  BackendSet backends() {
    return backends;
  }

  /// Of the backend at `index`.
  T get(int index) {
    return states.get(index);
  }

  /// Of a pick's backend, whatever set it was picked from; null if it has left.
  @Nullable T of(Picked picked) {
    return picked.backends() == backends ? states.get(picked.index()) : of(picked.backend().id());
  }

  /// Of the backend named `id`; null if there is none.
  @Nullable T of(String id) {
    int index = backends.indexOf(id);
    return index < 0 ? null : states.get(index);
  }

  void update(BackendSet next) {
    List<T> moved = new ArrayList<>(next.size());
    for (int i = 0; i < next.size(); i++) {
      T survivor = of(next.get(i).id());
      moved.add(survivor == null ? newcomer.apply(next.get(i)) : survivor);
    }
    backends = next;
    states = moved;
  }
}
