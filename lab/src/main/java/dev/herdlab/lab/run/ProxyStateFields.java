package dev.herdlab.lab.run;

import dev.herdlab.proxy.BackendAddress;
import dev.herdlab.proxy.ProxyState;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The state of a proxy process as JSON. Owner thread: any (no state).
final class ProxyStateFields {
  private ProxyStateFields() {}

  /// All of it.
  ///
  /// @param name that the backends stand under, if they are looked up
  static Map<String, Object> of(
      ProxyState state, ProxyPlan plan, DispatchRecorder.Filled filled, Optional<String> name) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("instances", state.instances().stream().map(ProxyStateFields::instance).toList());
    fields.put("in_flight", state.inFlight());
    fields.putAll(plan.fields());
    fields.put("switches", state.switches());
    fields.putAll(backends(state, name));
    fields.put("board", board(state.board()));
    fields.put("record", record(filled));
    return fields;
  }

  private static Map<String, Object> instance(ProxyState.Instance instance) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("proxy", instance.number());
    fields.put("port", instance.port());
    fields.put("picks", instance.picks());
    fields.put("in_flight", instance.inFlight());
    fields.put("view_age_ns", instance.viewAgeNanos());
    fields.put("view_refreshes", instance.refreshes());
    fields.put("waiting", instance.waiting());
    fields.put("clients", instance.connections().clients());
    fields.put("signals", signals(instance.signals()));
    return fields;
  }

  private static Map<String, Object> signals(ProxyState.Signals signals) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("probes_sent", signals.probesSent());
    fields.put("probes_answered", signals.probesAnswered());
    fields.put("probes_lost", signals.probesLost());
    fields.put("idle_streams", signals.idleStreams());
    fields.put("idle_notices", signals.idleNotices());
    fields.put("reports", signals.reports());
    fields.put("unreadable_reports", signals.unreadableReports());
    return fields;
  }

  /// The backends alone.
  static Map<String, Object> backends(ProxyState state, Optional<String> name) {
    List<Map<String, Object>> backends = new ArrayList<>();
    for (int i = 0; i < state.backends().size(); i++) {
      BackendAddress backend = state.backends().get(i);
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("id", backend.backend().id());
      fields.put("address", written(backend.address()));
      fields.put("weight", backend.backend().weight());
      fields.put("in_flight", state.inFlightOn(i));
      backends.add(fields);
    }
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("backends", backends);
    fields.put("backend_set_version", state.backendSetVersion());
    name.ifPresent(text -> fields.put("backends_name", text));
    return fields;
  }

  /// `ip:port`, an IPv6 address in brackets.
  static String written(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
  }

  private static Map<String, Object> board(ProxyState.Board board) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("kind", board.health().kind());
    fields.put("connected", board.health().connected());
    fields.put("age_ns", board.ageNanos());
    fields.put("processes", board.health().processes());
    fields.put("silent", board.health().silent());
    fields.put("round_trip_ns", board.health().roundTripNanos());
    return fields;
  }

  private static Map<String, Object> record(DispatchRecorder.Filled filled) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("events", filled.events());
    fields.put("room", filled.room());
    fields.put("truncated", filled.truncated());
    fields.put("room_max", ProxyPlan.roomForEvents());
    return fields;
  }
}
