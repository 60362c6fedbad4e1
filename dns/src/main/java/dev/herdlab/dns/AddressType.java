package dev.herdlab.dns;

import org.xbill.DNS.Type;

/// Which addresses of a name.
public enum AddressType {
  /// IPv4.
  A(Type.A),
  /// IPv6.
  AAAA(Type.AAAA);

  private final int number;

  AddressType(int number) {
    this.number = number;
  }

  int number() {
    return number;
  }
}
