package dev.herdlab.dns;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.xbill.DNS.Address;

/// Hosts that need no server to be found: addresses as they are written, and `localhost`.
///
/// Owner thread: any.
final class Hosts {
  private Hosts() {}

  /// The address that `text` is, not in brackets; empty if it is a name.
  static Optional<InetAddress> literal(String text) {
    byte[] bytes = Address.toByteArray(text, Address.IPv4);
    if (bytes == null && text.indexOf(':') >= 0) {
      bytes = Address.toByteArray(text, Address.IPv6);
    }
    return bytes == null ? Optional.empty() : Optional.of(address(bytes));
  }

  /// The address of `text` if it is one or is `localhost`, which is 127.0.0.1 here: a server that
  /// listens to that alone would otherwise count twice, once of them dead.
  static Optional<InetAddress> known(String text) {
    return text.equalsIgnoreCase("localhost") || text.equalsIgnoreCase("localhost.")
        ? Optional.of(address(new byte[] {127, 0, 0, 1}))
        : literal(text);
  }

  /// `ADDRESS:PORT`, an IPv6 address in brackets.
  static String written(InetSocketAddress address) {
    return written(address.getAddress()) + ":" + address.getPort();
  }

  /// The address, in brackets if it is IPv6.
  static String written(InetAddress address) {
    return address instanceof Inet6Address ? "[" + text(address) + "]" : text(address);
  }

  /// The address as people write it (RFC 5952): the longest run of zeros of an IPv6 address is left
  /// out.
  static String text(InetAddress address) {
    if (!(address instanceof Inet6Address)) {
      return address.getHostAddress();
    }
    ByteBuffer bytes = ByteBuffer.wrap(address.getAddress());
    int[] groups = IntStream.range(0, 8).map(i -> Short.toUnsignedInt(bytes.getShort())).toArray();
    int start = 0;
    int longest = 0;
    for (int i = 0; i < groups.length; i++) {
      int end = i;
      while (end < groups.length && groups[end] == 0) {
        end++;
      }
      if (end - i > longest) {
        start = i;
        longest = end - i;
      }
    }
    // A single group of zeros is written.
    return longest < 2
        ? joined(groups, 0, groups.length)
        : joined(groups, 0, start) + "::" + joined(groups, start + longest, groups.length);
  }

  private static String joined(int[] groups, int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> Integer.toHexString(groups[i]))
        .collect(Collectors.joining(":"));
  }

  private static InetAddress address(byte[] bytes) {
    try {
      return InetAddress.getByAddress(bytes);
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("address: " + bytes.length + " bytes", e);
    }
  }

  /// Reads `HOST:PORT` or `HOST`, the host an address or `localhost`, an IPv6 address in brackets
  /// if a port follows.
  ///
  /// @param lowestPort 0 where a free port may be asked for, else 1
  /// @throws IllegalArgumentException `text (expected: ...)`
  static InetSocketAddress hostAndPort(String text, int defaultPort, int lowestPort) {
    int colon = text.lastIndexOf(':');
    boolean bare = Address.toByteArray(text, Address.IPv6) != null && text.indexOf(':') >= 0;
    boolean hasPort = !bare && colon >= 0 && !text.endsWith("]");
    String host = hasPort ? text.substring(0, colon) : text;
    String port = hasPort ? text.substring(colon + 1) : "";
    if (host.startsWith("[") && host.endsWith("]")) {
      host = host.substring(1, host.length() - 1);
    }
    Optional<InetAddress> address = known(host);
    int number = hasPort && port.matches("\\d{1,5}") ? Integer.parseInt(port) : defaultPort;
    boolean portFits =
        !hasPort ? defaultPort >= 0 : port.matches("\\d{1,5}") && number >= lowestPort;
    if (address.isEmpty() || !portFits || number > 65_535) {
      throw new IllegalArgumentException(
          text + " (expected: ADDRESS" + (defaultPort >= 0 ? " or ADDRESS" : "") + ":PORT)");
    }
    return new InetSocketAddress(address.get(), number);
  }
}
