package dev.herdlab.loadgen;

import dev.herdlab.workload.Trace;

/// Which proxy a request goes to, asked when its turn has come.
///
/// Called on the generator's loop, once a request, in the order of their turns: it must not block.
/// What it answers is in the trace as executed.
@FunctionalInterface
public interface ProxyChoice {
  /// The proxy that the trace names.
  ProxyChoice PLANNED = Trace::proxy;

  /// The number of the proxy for `request` of `trace`, from 0 in the order of the generator's
  /// proxies; a request for a number that no proxy has fails as [ClientFailure#NO_PROXY].
  int proxy(Trace trace, int request);
}
