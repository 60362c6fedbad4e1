package dev.herdlab.dns;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Name;
import org.xbill.DNS.SOARecord;
import org.xbill.DNS.Type;

/// A zone as it is served: its names, and for clients in some subnets other names over them.
///
/// A name that stands in a subnet's file is answered from that file alone, for clients in the
/// subnet; every other name is as in the zone. Where several subnets hold a client and have the
/// name, the one with the longest prefix counts. SOA and NS at the origin are the zone's, whatever
/// a subnet's file says. Owner thread: the server's.
final class Zone {
  private static final Comparator<Overlay> LONGEST_FIRST =
      Comparator.<Overlay>comparingInt(overlay -> overlay.subnet().length()).reversed();

  private final Name origin;
  private final ZoneNames names;
  private final SOARecord soa;
  private final List<Overlay> overlays;

  /// The names that clients in a subnet see instead.
  record Overlay(Subnet subnet, ZoneNames names) {}

  private Zone(Name origin, ZoneNames names, SOARecord soa, List<Overlay> overlays) {
    this.origin = origin;
    this.names = names;
    this.soa = soa;
    this.overlays = overlays;
  }

  /// Reads a zone and the files of its subnets.
  ///
  /// @throws IllegalArgumentException one line that names the file
  static Zone read(Name origin, Path file, List<ServedFiles.SubnetFile> subnets) {
    ZoneNames names = ZoneNames.of(ZoneFile.read(file, origin), origin, Set.of());
    Optional<RecordSet> soa = names.find(origin, Type.SOA);
    if (soa.isEmpty() || names.find(origin, Type.NS).isEmpty()) {
      String missing = soa.isEmpty() ? "no SOA record" : "no NS record";
      throw new IllegalArgumentException(
          file + ": " + missing + " (expected: one SOA and at least one NS at " + origin + ")");
    }
    List<Overlay> overlays = new ArrayList<>();
    for (ServedFiles.SubnetFile subnet : subnets) {
      ZoneFile read = ZoneFile.read(subnet.file(), origin);
      ZoneNames over = ZoneNames.of(read, origin, Set.of(Type.SOA, Type.NS));
      overlays.add(new Overlay(subnet.subnet(), over));
    }
    overlays.sort(LONGEST_FIRST);
    return new Zone(origin, names, negative((SOARecord) soa.get().first()), overlays);
  }

  /// The SOA as it goes with negative answers: its TTL says how long they may be believed (RFC
  /// 2308, section 3).
  private static SOARecord negative(SOARecord soa) {
    return new SOARecord(
        soa.getName(),
        DClass.IN,
        Math.min(soa.getTTL(), soa.getMinimum()),
        soa.getHost(),
        soa.getAdmin(),
        soa.getSerial(),
        soa.getRefresh(),
        soa.getRetry(),
        soa.getExpire(),
        soa.getMinimum());
  }

  Name origin() {
    return origin;
  }

  ZoneNames names() {
    return names;
  }

  SOARecord negativeSoa() {
    return soa;
  }

  /// Longest prefix first.
  List<Overlay> overlays() {
    return overlays;
  }
}
