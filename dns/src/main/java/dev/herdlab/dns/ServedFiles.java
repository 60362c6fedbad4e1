package dev.herdlab.dns;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;

/// The files that a server serves: zones, and what clients in some subnets get instead. Owner
/// thread: any (immutable).
///
/// @param zones with different origins; at least one
/// @param subnets each for one of the zones
public record ServedFiles(List<ZoneOrigin> zones, List<SubnetFile> subnets) {
  /// A zone and its file.
  ///
  /// @param origin absolute, such as `example.`
  public record ZoneOrigin(Name origin, Path file) {}

  /// What clients in a subnet get instead.
  ///
  /// @param origin of the zone
  public record SubnetFile(Subnet subnet, Name origin, Path file) {}

  public ServedFiles {
    zones = List.copyOf(zones);
    subnets = List.copyOf(subnets);
    if (zones.isEmpty()) {
      throw new IllegalArgumentException("zones: none (expected: at least one)");
    }
  }

  /// Reads `ORIGIN=FILE` and `CIDR=FILE`, or `CIDR=ORIGIN=FILE` where there are several zones.
  ///
  /// @throws IllegalArgumentException `text (expected: ...)`
  public static ServedFiles parse(List<String> zones, List<String> subnets) {
    List<ZoneOrigin> origins = new ArrayList<>();
    for (String text : zones) {
      ZoneOrigin zone = zone(text);
      if (find(origins, zone.origin()).isPresent()) {
        throw expected(text, "each origin once");
      }
      origins.add(zone);
    }
    List<SubnetFile> files = new ArrayList<>();
    for (String text : subnets) {
      SubnetFile file = subnet(text, origins);
      boolean twice =
          files.stream()
              .anyMatch(
                  other ->
                      other.subnet().equals(file.subnet()) && other.origin().equals(file.origin()));
      if (twice) {
        throw expected(text, "each subnet once for a zone");
      }
      files.add(file);
    }
    return new ServedFiles(origins, files);
  }

  private static ZoneOrigin zone(String text) {
    int equals = text.indexOf('=');
    if (equals < 1 || equals == text.length() - 1) {
      throw expected(text, "ORIGIN=FILE, e.g. example.test=example.zone");
    }
    return name(text.substring(0, equals))
        .map(origin -> new ZoneOrigin(origin, Path.of(text.substring(equals + 1))))
        .orElseThrow(() -> expected(text, "ORIGIN=FILE with a DNS name as the origin"));
  }

  private static SubnetFile subnet(String text, List<ZoneOrigin> zones) {
    int equals = text.indexOf('=');
    if (equals < 1 || equals == text.length() - 1) {
      throw expected(text, "CIDR=FILE, e.g. 10.0.0.0/8=inside.zone");
    }
    Subnet subnet = Subnet.parse(text.substring(0, equals));
    String rest = text.substring(equals + 1);
    int second = rest.indexOf('=');
    Optional<ZoneOrigin> named =
        second < 1
            ? Optional.empty()
            : name(rest.substring(0, second)).flatMap(origin -> find(zones, origin));
    if (named.isPresent()) {
      return new SubnetFile(subnet, named.get().origin(), Path.of(rest.substring(second + 1)));
    }
    if (zones.size() > 1) {
      throw expected(text, "CIDR=ORIGIN=FILE with the origin of one of the zones");
    }
    return new SubnetFile(subnet, zones.getFirst().origin(), Path.of(rest));
  }

  private static Optional<ZoneOrigin> find(List<ZoneOrigin> zones, Name origin) {
    return zones.stream().filter(zone -> zone.origin().equals(origin)).findFirst();
  }

  private static Optional<Name> name(String text) {
    try {
      return Optional.of(Name.fromString(text, Name.root));
    } catch (TextParseException notOne) {
      return Optional.empty();
    }
  }

  private static IllegalArgumentException expected(String text, String what) {
    return new IllegalArgumentException(text + " (expected: " + what + ")");
  }

  /// The subnets of one zone.
  List<SubnetFile> subnetsOf(Name origin) {
    return subnets.stream().filter(file -> file.origin().equals(origin)).toList();
  }
}
