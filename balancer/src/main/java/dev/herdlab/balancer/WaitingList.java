package dev.herdlab.balancer;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// The requests that wait at one proxy for a backend, in the order of arrival. They have no leases.
///
/// Cost: O(1); [#serve] one question for each, until none can be served. Owner thread: its
/// dispatcher's.
final class WaitingList {
  private final Function<PickContext, PickResult> balancer;
  private final Map<Waiter, PickContext> waiting = new LinkedHashMap<>();

  /// @param balancer asks for a request, and opens the lease if one is picked
  WaitingList(Function<PickContext, PickResult> balancer) {
    this.balancer = balancer;
  }

  /// One that waits no more, and why.
  private record Served(Waiter waiter, PickResult result) {}

  int size() {
    return waiting.size();
  }

  /// Adds a request at the end.
  ///
  /// @return false if as many as may wait do so already
  /// @throws IllegalStateException if this waiter waits already
  boolean add(Waiter waiter, PickContext context, int atMost) {
    if (waiting.size() >= atMost) {
      return false;
    }
    if (waiting.put(waiter, context) != null) {
      throw new IllegalStateException("waiter: waits already (expected: one request at a time)");
    }
    return true;
  }

  void remove(Waiter waiter) {
    waiting.remove(waiter);
  }

  /// Asks for each, the oldest first, and takes out whoever gets an answer other than to wait. They
  /// hear of it when all have been asked for.
  void serve() {
    if (waiting.isEmpty()) {
      return;
    }
    List<Served> served = new ArrayList<>();
    try {
      ask(served);
    } finally {
      // Also of what was picked before an algorithm threw: these leases are open.
      for (Served one : served) {
        one.waiter().served(one.result());
      }
    }
  }

  private void ask(List<Served> served) {
    Iterator<Map.Entry<Waiter, PickContext>> places = waiting.entrySet().iterator();
    while (places.hasNext()) {
      Map.Entry<Waiter, PickContext> place = places.next();
      PickResult result = balancer.apply(place.getValue());
      if (!(result instanceof Waiting again)) {
        served.add(new Served(place.getKey(), result));
        places.remove();
      } else if (again.what() == Waiting.Until.ANY_IS_FREE) {
        return;
      }
    }
  }
}
