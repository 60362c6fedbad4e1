package dev.herdlab.dns;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/// How [Discovery] asks. Owner thread: any (immutable).
///
/// @param server the server that is asked; empty for the first one of the system
///     (`/etc/resolv.conf`), with the system's search list
/// @param maxTtl the longest that an answer is believed, whatever its own TTL: 1 s to 1 day.
///     Docker's DNS gives 600 s, and `--scale` would take as long to be noticed
public record DiscoverySettings(Optional<InetSocketAddress> server, Duration maxTtl) {
  /// How often the same question is asked at most, and how soon after a failure.
  public static final Duration MIN_TTL = Duration.ofSeconds(1);

  private static final Duration DAY = Duration.ofDays(1);

  /// The system's server, and answers believed for at most 5 s.
  public static final DiscoverySettings DEFAULT =
      new DiscoverySettings(Optional.empty(), Duration.ofSeconds(5));

  public DiscoverySettings {
    if (maxTtl.compareTo(MIN_TTL) < 0 || maxTtl.compareTo(DAY) > 0) {
      throw new IllegalArgumentException("maxTtl: " + maxTtl + " (expected: PT1S to PT24H)");
    }
  }
}
