package dev.herdlab.dns;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.xbill.DNS.Name;
import org.xbill.DNS.RRset;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/// The names of a zone, or of a subnet's file, with their records.
///
/// dnsjava's own `Zone` is not used: it takes names that exist only because longer ones do for
/// names that do not exist (RFC 8020), and lets wildcards reach past names that exist (RFC 4592).
/// Owner thread: the server's.
final class ZoneNames {
  /// Of DNSSEC, which is left out: a record in another order or of another subnet has no signature.
  private static final Set<Integer> SIGNATURES =
      Set.of(Type.RRSIG, Type.NSEC, Type.NSEC3, Type.NSEC3PARAM);

  private final Name origin;
  private final Map<Name, SortedMap<Integer, RecordSet>> sets = new HashMap<>();
  private final Set<Name> existing = new HashSet<>();

  private ZoneNames(Name origin) {
    this.origin = origin;
  }

  /// Of a file's records.
  ///
  /// @param skipped types that are left out at the origin
  /// @throws IllegalArgumentException one line, for records that may not stand beside each other
  static ZoneNames of(ZoneFile file, Name origin, Set<Integer> skipped) {
    Map<Name, SortedMap<Integer, RRset>> collected = new HashMap<>();
    for (ZoneFile.Located located : file.records()) {
      Record record = located.record();
      boolean atOrigin = record.getName().equals(origin);
      if (SIGNATURES.contains(record.getType())
          || (atOrigin && skipped.contains(record.getType()))) {
        continue;
      }
      SortedMap<Integer, RRset> at =
          collected.computeIfAbsent(record.getName(), _ -> new TreeMap<>());
      check(file, located, at, origin);
      // The set takes the least of the TTLs for all (RFC 2181, section 5.2), and drops duplicates.
      at.computeIfAbsent(record.getType(), _ -> new RRset()).addRR(record);
    }
    ZoneNames names = new ZoneNames(origin);
    collected.forEach(names::add);
    return names;
  }

  private static void check(
      ZoneFile file, ZoneFile.Located located, SortedMap<Integer, RRset> at, Name origin) {
    Record record = located.record();
    boolean alias = record.getType() == Type.CNAME;
    if (record.getType() == Type.SOA
        && (!record.getName().equals(origin) || at.containsKey(Type.SOA))) {
      throw file.error(located.line(), record.getName() + " SOA", "one SOA, at " + origin);
    }
    if (alias ? !at.isEmpty() : at.containsKey(Type.CNAME)) {
      throw file.error(
          located.line(),
          record.getName() + " " + Type.string(record.getType()),
          "a CNAME alone at its name");
    }
  }

  private void add(Name name, SortedMap<Integer, RRset> rrsets) {
    SortedMap<Integer, RecordSet> at = new TreeMap<>();
    rrsets.forEach((type, set) -> at.put(type, new RecordSet(new ArrayList<>(set.rrs(false)))));
    sets.put(name, at);
    Name above = name;
    while (existing.add(above) && !above.equals(origin)) {
      above = new Name(above, 1);
    }
  }

  /// The records at a name by type; empty if it has none.
  SortedMap<Integer, RecordSet> at(Name name) {
    SortedMap<Integer, RecordSet> found = sets.get(name);
    return found == null ? new TreeMap<>() : found;
  }

  /// Whether a name has records here.
  boolean has(Name name) {
    return sets.containsKey(name);
  }

  /// Whether a name has records here, or a longer one has.
  boolean exists(Name name) {
    return existing.contains(name);
  }

  /// Records of a type at a name.
  Optional<RecordSet> find(Name name, int type) {
    return Optional.ofNullable(at(name).get(type));
  }
}
