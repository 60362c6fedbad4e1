package dev.herdlab.lab.config;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.simulator.Change;
import dev.herdlab.simulator.Members;
import dev.herdlab.simulator.Model;
import dev.herdlab.simulator.Workload;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.ProxyLaw;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.TenantLaw;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A cell's plan with its specs read: what the live run, the analysis and the model all begin with.
///
/// Owner thread: any (immutable).
///
/// @param plan what it was made of
/// @param algorithm the plan's, with parameters
/// @param view the plan's
/// @param backends named b0, b1, ..., with the plan's weights
/// @param arrivals the plan's, at its rate
/// @param service the plan's
/// @param tenants the plan's
/// @param reached the plan's law of proxies
public record Cell(
    CellPlan plan,
    ConfiguredAlgorithm algorithm,
    ViewSpec view,
    BackendSet backends,
    ArrivalProcess arrivals,
    ServiceLaw service,
    TenantLaw tenants,
    ProxyLaw reached) {

  /// Reads the specs of a plan.
  ///
  /// @throws ConfigException in one line, if the algorithm can't serve these backends
  public static Cell of(CellPlan plan, Algorithms algorithms) {
    List<Backend> backends = new ArrayList<>();
    for (int i = 0; i < plan.backends(); i++) {
      backends.add(new Backend("b" + i, plan.weights().get(i)));
    }
    BackendSet set = BackendSet.of(backends);
    ConfiguredAlgorithm algorithm = algorithms.parse(plan.algorithm(), plan.unitNanos());
    sets(set, plan).forEach(each -> tryOn(algorithm, each));
    return new Cell(
        plan,
        algorithm,
        ViewSpec.parse(plan.view(), plan.unitNanos()),
        set,
        ArrivalProcess.parse(plan.arrivals(), plan.arrivalsPerUnit(), plan.unitNanos()),
        ServiceLaw.parse(plan.service()),
        TenantLaw.parse(plan.tenants()),
        ProxyLaw.parse(plan.proxyChoice()));
  }

  /// Every set of backends that the proxies will have.
  private static Collection<BackendSet> sets(BackendSet all, CellPlan plan) {
    Map<String, BackendSet> sets = new LinkedHashMap<>();
    sets.put(members(all), all);
    Members members = new Members(all);
    for (Change.Timed timed : plan.changes()) {
      members.make(timed.change()).ifPresent(set -> sets.putIfAbsent(members(set), set));
    }
    return sets.values();
  }

  private static String members(BackendSet set) {
    StringBuilder members = new StringBuilder();
    for (int i = 0; i < set.size(); i++) {
      members.append(set.get(i));
    }
    return members.toString();
  }

  private static void tryOn(ConfiguredAlgorithm algorithm, BackendSet set) {
    try {
      algorithm.tryOn(set);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "algorithm '%s' with %d backends: %s"
              .formatted(algorithm.spec(), set.size(), e.getMessage()));
    }
  }

  /// The requests as drawn by the plan's seed. Cost: about 100 ns a request.
  public Trace trace() {
    return workload(plan.requests(), plan.warmup()).trace(plan.seed());
  }

  /// The plan's laws for another number of requests.
  public Workload workload(int requests, int warmup) {
    return new Workload(
        arrivals, service, tenants, plan.proxies(), reached, requests, warmup, plan.unitNanos());
  }

  /// The model of this cell.
  public Model model() {
    return plan.serving()
        .of(new Model(backends, plan.speeds(), algorithm, view))
        .withChanges(plan.changes());
  }

  /// The true utilisation of a trace: work that arrives, but for what never ends, over what the
  /// backends can do by the last arrival.
  public double utilisation(Trace trace) {
    double workNanos = 0;
    for (int i = 0; i < trace.size(); i++) {
      long serviceNanos = trace.serviceNanos(i);
      workNanos += serviceNanos == ServiceLaw.NEVER_NANOS ? 0 : serviceNanos;
    }
    return workNanos / (plan.capacity() * Math.max(1, trace.lastIntendedNanos()));
  }
}
