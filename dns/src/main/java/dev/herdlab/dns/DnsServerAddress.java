package dev.herdlab.dns;

import java.net.InetSocketAddress;

/// The address of a DNS server, as it is written: `ADDRESS` or `ADDRESS:PORT`, port 53 if none is
/// given; `localhost`, IPv4, or IPv6 (in brackets before a port). Owner thread: any.
public final class DnsServerAddress {
  private static final int STANDARD_PORT = 53;

  private DnsServerAddress() {}

  /// Reads one.
  ///
  /// @throws IllegalArgumentException `text (expected: ...)`
  public static InetSocketAddress parse(String text) {
    return Hosts.hostAndPort(text, STANDARD_PORT, 1);
  }
}
