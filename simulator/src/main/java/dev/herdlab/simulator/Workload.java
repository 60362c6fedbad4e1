package dev.herdlab.simulator;

import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.ProxyLaw;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.TenantLaw;
import dev.herdlab.workload.Trace;

/// What arrives, as laws instead of numbers: each seed gives one [Trace]. Owner thread: any
/// (immutable).
///
/// @param arrivals when requests come
/// @param service how long they take at speed 1
/// @param tenants to whom they belong
/// @param proxies number of proxies
/// @param reached which of them each request reaches
/// @param requests how many, warm-up included
/// @param warmup how many of them, the first, are dropped
/// @param unitNanos length of a unit
public record Workload(
    ArrivalProcess arrivals,
    ServiceLaw service,
    TenantLaw tenants,
    int proxies,
    ProxyLaw reached,
    int requests,
    int warmup,
    long unitNanos) {
  public Workload {
    if (warmup < 0 || warmup >= requests) {
      throw new IllegalArgumentException(
          "warmup: "
              + warmup
              + " (expected: 0 or more, and fewer than the "
              + requests
              + " requests)");
    }
  }

  /// Of requests without tenants that reach any proxy with the same probability.
  public Workload(
      ArrivalProcess arrivals,
      ServiceLaw service,
      int proxies,
      int requests,
      int warmup,
      long unitNanos) {
    this(arrivals, service, TenantLaw.NONE, proxies, ProxyLaw.UNIFORM, requests, warmup, unitNanos);
  }

  /// The plan of `seed`. Cost: about 100 ns a request.
  public Trace trace(long seed) {
    return Trace.generate(seed, requests, proxies, reached, arrivals, service, tenants, unitNanos);
  }
}
