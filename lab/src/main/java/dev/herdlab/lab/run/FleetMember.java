package dev.herdlab.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.lab.admin.AdminClient;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;

/// One process of a running system, as it was when the fleet last looked. Owner thread: any
/// (immutable).
///
/// @param admin asks it for more
/// @param clock how its clock stands to the lab's
/// @param process what every process says of itself
/// @param state all that it said, see docs/admin-api.md
public record FleetMember(
    AdminClient admin, ClockMapping clock, ProcessState process, JsonNode state) {
  /// A port of its data, on the host of its admin port.
  private InetSocketAddress data(JsonNode port) {
    return new InetSocketAddress(admin.address().getAddress(), port.path("port").asInt());
  }

  /// Where a proxy process's instances, or a stub process's backends, listen, in their order; none
  /// of another.
  public List<InetSocketAddress> addresses() {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (JsonNode instance : state.path("instances")) {
      addresses.add(data(instance));
    }
    if (admin.component().equals("backend")) {
      for (JsonNode backend : state.path("backends")) {
        addresses.add(data(backend));
      }
    }
    return addresses;
  }

  /// Such as `proxy 10.0.0.7:9100`.
  @Override
  public String toString() {
    InetSocketAddress at = admin.address();
    return admin.component() + " " + at.getAddress().getHostAddress() + ":" + at.getPort();
  }
}
