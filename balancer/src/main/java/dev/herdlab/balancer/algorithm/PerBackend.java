package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Picked;
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
  private Object[] states;

  /// @param newcomer what is remembered of one that was never seen
  PerBackend(BackendSet backends, Function<Backend, T> newcomer) {
    this.newcomer = newcomer;
    this.backends = backends;
    this.states = new Object[backends.size()];
    for (int i = 0; i < states.length; i++) {
      states[i] = newcomer.apply(backends.get(i));
    }
  }

  int size() {
    return states.length;
  }

  /// The set that indices refer to.
  BackendSet backends() {
    return backends;
  }

  /// Of the backend at `index`.
  @SuppressWarnings("unchecked") // nothing else is ever put there
  T get(int index) {
    return (T) states[index];
  }

  /// Of a pick's backend, whatever set it was picked from; null if it has left.
  @Nullable T of(Picked picked) {
    return picked.backends() == backends ? get(picked.index()) : of(picked.backend().id());
  }

  /// Of the backend named `id`; null if there is none.
  @Nullable T of(String id) {
    int index = backends.indexOf(id);
    return index < 0 ? null : get(index);
  }

  void update(BackendSet next) {
    Object[] moved = new Object[next.size()];
    for (int i = 0; i < moved.length; i++) {
      T survivor = of(next.get(i).id());
      moved[i] = survivor == null ? newcomer.apply(next.get(i)) : survivor;
    }
    backends = next;
    states = moved;
  }
}
