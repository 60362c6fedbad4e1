package dev.herdlab.proxy;

import io.netty.util.AsciiString;

/// The methods that the proxy treats in their own way. Owner thread: any (immutable).
final class Methods {
  static final AsciiString HEAD = AsciiString.cached("HEAD");
  static final AsciiString OPTIONS = AsciiString.cached("OPTIONS");
  static final AsciiString CONNECT = AsciiString.cached("CONNECT");

  private Methods() {}
}
