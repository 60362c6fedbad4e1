package dev.herdlab.dns;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Comparator;

/// One backend or proxy that a name stands for.
///
/// Members are ordered by address (IPv4 first, then by value), then by port, so that the same
/// answer gives the same list whatever the server's rotation. Owner thread: any (immutable).
///
/// @param id `ip:port`, an IPv6 address in brackets: `10.0.0.7:8000`, `[fd00::7]:8000`
/// @param address resolved
/// @param weight share of the load, 1 to 65535; 1 where the answer gives none
public record Member(String id, InetSocketAddress address, int weight)
    implements Comparable<Member> {
  /// The largest weight, that of an SRV record.
  public static final int MAX_WEIGHT = 65_535;

  private static final Comparator<Member> ORDER =
      Comparator.<Member, byte[]>comparing(
              member -> member.address.getAddress().getAddress(), Member::compareAddresses)
          .thenComparingInt(member -> member.address.getPort());

  public Member {
    if (address.isUnresolved()) {
      throw new IllegalArgumentException("address: " + address + " (expected: resolved)");
    }
    if (weight < 1 || weight > MAX_WEIGHT) {
      throw new IllegalArgumentException(
          "weight: " + weight + " (expected: 1 to " + MAX_WEIGHT + ")");
    }
  }

  /// The member at an address; its id is written from it.
  static Member of(InetAddress address, int port, int weight) {
    InetSocketAddress socket = new InetSocketAddress(address, port);
    return new Member(Hosts.written(socket), socket, weight);
  }

  private static int compareAddresses(byte[] a, byte[] b) {
    return a.length == b.length
        ? Arrays.compareUnsigned(a, b)
        : Integer.compare(a.length, b.length);
  }

  @Override
  public int compareTo(Member other) {
    return ORDER.compare(this, other);
  }
}
