package dev.herdlab.lab.conduct;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.run.Fleet;
import dev.herdlab.lab.run.FleetMember;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Who takes part in a phase, as they were when it was prepared.
///
/// Proxies know a backend by an id of theirs, which discovery makes of its address; the backend
/// calls itself by its own. Results have the backends' own names, in the order in which the proxies
/// know them. Owner thread: any (immutable).
///
/// @param members processes: generators, proxies, backends
/// @param generators those of them that send
/// @param proxyProcesses those of them that have proxies
/// @param proxies number of proxy instances, over all processes
/// @param backends what the proxies pick from
/// @param speeds of the backends, in order
/// @param names the backends' own names by the proxies' ids
record Crew(
    List<FleetMember> members,
    List<FleetMember> generators,
    List<FleetMember> proxyProcesses,
    int proxies,
    BackendSet backends,
    List<Double> speeds,
    Map<String, String> names) {
  Crew {
    members = List.copyOf(members);
    generators = List.copyOf(generators);
    proxyProcesses = List.copyOf(proxyProcesses);
    speeds = List.copyOf(speeds);
    names = Map.copyOf(names);
  }

  /// Of the fleet as at its last look.
  ///
  /// @throws IOException in one line, if it is not whole: nobody of a kind, or proxies that do not
  ///     know the same backends
  static Crew of(Fleet fleet) throws IOException {
    requireSome("proxies", fleet.proxies());
    requireSome("backends", fleet.backends());
    requireSome("generators", fleet.generators());
    Map<String, String> nameAt = new HashMap<>();
    for (Map.Entry<String, InetSocketAddress> stub : fleet.backendAddresses().entrySet()) {
      nameAt.put(text(stub.getValue()), stub.getKey());
    }
    Map<String, Double> speedOf = speeds(fleet);
    JsonNode known = sameAtAll(fleet.proxies());
    List<Backend> backends = new ArrayList<>();
    List<Double> speeds = new ArrayList<>();
    Map<String, String> names = new HashMap<>();
    for (JsonNode backend : known) {
      String address = backend.path("address").asText();
      String name = nameAt.get(address);
      if (name == null) {
        throw new IOException(
            "backend %s: %s (expected: one of the backends' processes that are known)"
                .formatted(backend.path("id").asText(), address));
      }
      names.put(backend.path("id").asText(), name);
      backends.add(new Backend(name, backend.path("weight").asInt(1)));
      speeds.add(speedOf.getOrDefault(name, 1.0));
    }
    return new Crew(
        fleet.all(),
        fleet.generators(),
        fleet.proxies(),
        fleet.proxyAddresses().size(),
        BackendSet.of(backends),
        speeds,
        names);
  }

  private static void requireSome(String kind, List<FleetMember> members) throws IOException {
    if (members.isEmpty()) {
      throw new IOException(kind + ": none answers (expected: one or more)");
    }
  }

  /// `HOST:PORT` with the address in numbers, as proxies name it.
  private static String text(InetSocketAddress address) {
    return address.getAddress().getHostAddress() + ":" + address.getPort();
  }

  private static Map<String, Double> speeds(Fleet fleet) {
    Map<String, Double> speeds = new HashMap<>();
    for (FleetMember member : fleet.backends()) {
      for (JsonNode stub : member.state().path("backends")) {
        speeds.put(stub.path("id").asText(), stub.path("speed").asDouble(1));
      }
    }
    return speeds;
  }

  /// The backends that all proxies know, in the order that all have.
  private static JsonNode sameAtAll(List<FleetMember> proxies) throws IOException {
    JsonNode first = proxies.getFirst().state().path("backends");
    if (first.isEmpty()) {
      throw new IOException(proxies.getFirst() + ": no backends (expected: one or more)");
    }
    for (FleetMember proxy : proxies) {
      JsonNode other = proxy.state().path("backends");
      boolean same = other.size() == first.size();
      for (int i = 0; same && i < first.size(); i++) {
        same = other.get(i).path("id").equals(first.get(i).path("id"));
      }
      if (!same) {
        throw new IOException(
            "%s: other backends than %s (expected: the same, in the same order)"
                .formatted(proxy, proxies.getFirst()));
      }
    }
    return first;
  }

  /// Whether these are the same processes, which know the same backends.
  boolean isSame(Crew other) {
    return incarnations().equals(other.incarnations())
        && proxies == other.proxies
        && ids().equals(other.ids())
        && speeds.equals(other.speeds);
  }

  private List<String> incarnations() {
    return members.stream().map(member -> member.process().incarnation()).toList();
  }

  private List<String> ids() {
    List<String> ids = new ArrayList<>();
    for (int i = 0; i < backends.size(); i++) {
      ids.add(backends.get(i).id());
    }
    return ids;
  }

  /// Whether generators, proxies and backends share one clock with the lab.
  boolean hasOneClock() {
    return members.stream().allMatch(member -> member.clock().isSame());
  }

  /// A plan for these, instead of for those that it names.
  CellPlan resolve(CellPlan plan) {
    List<Integer> weights = new ArrayList<>();
    for (int i = 0; i < backends.size(); i++) {
      weights.add(backends.get(i).weight());
    }
    return new CellPlan(
        plan.unitNanos(),
        backends.size(),
        speeds,
        weights,
        plan.service(),
        plan.arrivals(),
        plan.tenants(),
        proxies,
        plan.proxyChoice(),
        plan.rho(),
        plan.requests(),
        plan.warmup(),
        plan.seed(),
        plan.algorithm(),
        plan.view(),
        plan.serving(),
        plan.events());
  }
}
