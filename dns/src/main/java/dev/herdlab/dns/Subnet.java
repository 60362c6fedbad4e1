package dev.herdlab.dns;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import org.xbill.DNS.Address;

/// A block of addresses: those whose first `length` bits are these. A single address is the block
/// of its full length. Owner thread: any (immutable).
///
/// @param address the first of the block
/// @param length of the prefix in bits, 0 to 32 or 128
public record Subnet(InetAddress address, int length) {
  public Subnet {
    int bits = bits(address);
    if (length < 0 || length > bits) {
      throw new IllegalArgumentException("length: " + length + " (expected: 0 to " + bits + ")");
    }
    if (!Address.truncate(address, length).equals(address)) {
      throw new IllegalArgumentException(
          "address: " + address.getHostAddress() + " (expected: zeros after " + length + " bits)");
    }
  }

  /// A single address.
  static Subnet of(InetAddress address) {
    return new Subnet(plain(address), bits(address));
  }

  /// Reads `10.0.0.0/8`, `2001:db8::/32`, or an address.
  ///
  /// @throws IllegalArgumentException `text (expected: ...)`
  public static Subnet parse(String text) {
    int slash = text.indexOf('/');
    Optional<InetAddress> address = Hosts.literal(slash < 0 ? text : text.substring(0, slash));
    String length = slash < 0 ? "" : text.substring(slash + 1);
    if (address.isEmpty() || (slash >= 0 && !length.matches("\\d{1,3}"))) {
      throw expected(text, "a subnet such as 10.0.0.0/8 or 2001:db8::/32");
    }
    int bits = bits(address.get());
    int number = slash < 0 ? bits : Integer.parseInt(length);
    if (number > bits) {
      throw expected(text, "a prefix length of at most " + bits);
    }
    InetAddress first = Address.truncate(address.get(), number);
    if (!first.equals(address.get())) {
      throw expected(text, Hosts.text(first) + "/" + number + ", the block's first address");
    }
    return new Subnet(first, number);
  }

  /// Whether all addresses of `other` are in this.
  boolean contains(Subnet other) {
    return length <= other.length && isSameFamily(other) && commonBits(other) >= length;
  }

  boolean isSameFamily(Subnet other) {
    return address.getClass() == other.address.getClass();
  }

  /// How many leading bits the two first addresses share.
  int commonBits(Subnet other) {
    byte[] a = address.getAddress();
    byte[] b = other.address.getAddress();
    for (int i = 0; i < a.length; i++) {
      int different = (a[i] ^ b[i]) & 0xFF;
      if (different != 0) {
        return i * 8 + Integer.numberOfLeadingZeros(different) - 24;
      }
    }
    return a.length * 8;
  }

  private static int bits(InetAddress address) {
    return address.getAddress().length * 8;
  }

  /// Without the name and the interface that it may carry.
  private static InetAddress plain(InetAddress address) {
    try {
      return InetAddress.getByAddress(address.getAddress());
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException("address: " + address, e);
    }
  }

  private static IllegalArgumentException expected(String text, String what) {
    return new IllegalArgumentException(text + " (expected: " + what + ")");
  }

  @Override
  public String toString() {
    return Hosts.text(address) + "/" + length;
  }
}
