package dev.herdlab.proxy;

import dev.herdlab.balancer.Backend;
import java.net.InetSocketAddress;
import java.util.Objects;

/// A backend and where it listens. Owner thread: any (immutable).
///
/// @param backend its name and weight
/// @param address resolved; names are never looked up on the loop
public record BackendAddress(Backend backend, InetSocketAddress address) {
  public BackendAddress {
    Objects.requireNonNull(backend, "backend");
    if (address.isUnresolved()) {
      throw new IllegalArgumentException(
          "backend " + backend.id() + ": " + address.getHostString() + " (expected: a known host)");
    }
  }

  /// Host and port as a request's `Host` has them.
  String authority() {
    String host = address.getHostString();
    return (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort();
  }

  /// A backend of weight 1.
  public static BackendAddress of(String id, InetSocketAddress address) {
    return new BackendAddress(Backend.of(id), address);
  }
}
