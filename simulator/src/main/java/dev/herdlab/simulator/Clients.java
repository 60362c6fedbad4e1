package dev.herdlab.simulator;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.RequestKey;
import dev.herdlab.workload.Trace;
import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;

/// The clients of one run of the model: one for each tenant, which keeps the cookie that it was
/// given last, whatever proxy gave it, and sends it with each request from then on.
///
/// A response sets the cookie if the balancer that picked wants cookies and the request came with
/// none or with another one; the client knows it when the response is there. Requests without a
/// tenant come from clients that keep nothing. All begin without cookies.
///
/// Cost: O(1) a request, of traces without tenants one comparison. Owner thread: its model's.
final class Clients {
  private final Trace trace;
  private final Map<Integer, String> cookies = new HashMap<>();
  private final BitSet toBeSet = new BitSet();

  Clients(Trace trace) {
    this.trace = trace;
  }

  /// What a request brings along.
  PickContext context(int request) {
    int tenant = trace.tenant(request);
    return tenant == Trace.NO_TENANT
        ? PickContext.PLAIN
        : new PickContext(RequestKey.of(trace.key(request)), cookies.getOrDefault(tenant, ""));
  }

  /// A request was picked for.
  void picked(int request, PickContext context, Backend backend, LoadBalancer.Wants wants) {
    if (wants.cookies()
        && trace.tenant(request) != Trace.NO_TENANT
        && !context.pinned().equals(backend.id())) {
      toBeSet.set(request);
    }
  }

  /// The response to a request is there.
  void answered(int request, Backend backend) {
    if (toBeSet.get(request)) {
      cookies.put(trace.tenant(request), backend.id());
    }
  }
}
