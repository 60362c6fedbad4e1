package dev.herdlab.dns;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import org.xbill.DNS.Name;
import org.xbill.DNS.Type;

/// Finds names in a zone for one client, and remembers which names it has looked at, because they
/// decide for whom else the answer is good.
///
/// Sources: RFC 1034, section 4.3.2; RFC 4592 (wildcards); RFC 8020 (names that exist because
/// longer ones do). Owner thread: the server's.
final class Lookup {
  private final Zone zone;
  private final Subnet client;
  private final List<Name> seen = new ArrayList<>();

  /// What is at a name.
  sealed interface Result {
    /// Records of the type.
    record Records(RecordSet set) implements Result {}

    /// Another name for it.
    record Alias(RecordSet set) implements Result {}

    /// A DNAME above it: another name for all that is below.
    record Moved(RecordSet set) implements Result {}

    /// Other servers are in charge: their NS records.
    record Delegated(RecordSet set) implements Result {}

    /// The name, but no such records.
    record NoType() implements Result {}

    /// Not even the name.
    record NoName() implements Result {}
  }

  /// @param client its block of addresses, as far as it is known
  Lookup(Zone zone, Subnet client) {
    this.zone = zone;
    this.client = client;
  }

  /// Looks for a name, which must be in the zone.
  Result find(Name name, int type) {
    int labels = name.labels();
    for (int count = zone.origin().labels(); count <= labels; count++) {
      Name current = count == labels ? name : new Name(name, labels - count);
      if (!exists(current)) {
        return wildcard(current.wild(1), type);
      }
      SortedMap<Integer, RecordSet> at = at(current);
      boolean last = count == labels;
      RecordSet servers = at.get(Type.NS);
      if (servers != null && !current.equals(zone.origin()) && !(last && type == Type.DS)) {
        return new Result.Delegated(servers);
      }
      if (last) {
        return choose(at, type);
      }
      RecordSet moved = at.get(Type.DNAME);
      if (moved != null) {
        return new Result.Moved(moved);
      }
    }
    throw new IllegalArgumentException("name: " + name + " (expected: in " + zone.origin() + ")");
  }

  /// @param star the wildcard at the closest name that exists
  private Result wildcard(Name star, int type) {
    return exists(star) ? choose(at(star), type) : new Result.NoName();
  }

  private static Result choose(SortedMap<Integer, RecordSet> at, int type) {
    // One set stands for all (RFC 8482, section 4.1).
    RecordSet found = at.get(type == Type.ANY && !at.isEmpty() ? at.firstKey() : type);
    if (found != null) {
      return new Result.Records(found);
    }
    RecordSet alias = at.get(Type.CNAME);
    return alias != null ? new Result.Alias(alias) : new Result.NoType();
  }

  /// The records at a name, as this client sees it.
  SortedMap<Integer, RecordSet> at(Name name) {
    seen.add(name);
    SortedMap<Integer, RecordSet> found = zone.names().at(name);
    for (Zone.Overlay overlay : zone.overlays()) {
      if (overlay.names().has(name) && overlay.subnet().contains(client)) {
        found = overlay.names().at(name);
        break;
      }
    }
    if (!name.equals(zone.origin())) {
      return found;
    }
    SortedMap<Integer, RecordSet> origin = new TreeMap<>(found);
    for (int type : List.of(Type.SOA, Type.NS)) {
      zone.names().find(name, type).ifPresent(set -> origin.put(type, set));
    }
    return origin;
  }

  private boolean exists(Name name) {
    seen.add(name);
    return zone.names().exists(name)
        || zone.overlays().stream()
            .anyMatch(overlay -> overlay.names().exists(name) && overlay.subnet().contains(client));
  }

  /// How many leading bits of the client's address decide what was found: a client that shares them
  /// would have got the same (RFC 7871, section 7.2.1). 0 if the answer is good for all; more than
  /// the client gave if it gave too few.
  int scope() {
    int scope = 0;
    for (Zone.Overlay overlay : zone.overlays()) {
      Subnet subnet = overlay.subnet();
      if (!subnet.isSameFamily(client) || seen.stream().noneMatch(name -> decides(overlay, name))) {
        continue;
      }
      boolean nested = subnet.contains(client) || client.contains(subnet);
      scope = Math.max(scope, nested ? subnet.length() : subnet.commonBits(client) + 1);
    }
    return scope;
  }

  private boolean decides(Zone.Overlay overlay, Name name) {
    return overlay.names().has(name)
        || (overlay.names().exists(name) && !zone.names().exists(name));
  }
}
