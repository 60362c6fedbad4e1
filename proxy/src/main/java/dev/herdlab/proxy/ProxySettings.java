package dev.herdlab.proxy;

import dev.herdlab.balancer.AttemptPolicy;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.transport.HeadLimits;
import java.util.ArrayList;
import java.util.List;

/// Everything that defines a [ProxyPool]. Owner thread: any (immutable).
///
/// @param host address to bind, e.g. `127.0.0.1`
/// @param instances number of proxy instances, 1 to 1024
/// @param ports one for each instance, or none: any free ones; a port 0 stands for any free one too
/// @param backends what may be picked; ids are unique
/// @param pool how many connections each pool holds
/// @param timeouts how long the proxy waits for whom
/// @param headLimits how large the head of a request or a response may be
/// @param readAheadBytes how many bytes of one side may wait in the proxy for the other, 4 KiB to
///     16 MiB; reading stops there, and one read more (at most 64 KiB) may be under way. What a
///     sender's last bytes before it closes left in the kernel's receive buffer comes on top of it
/// @param receiveBufferBytes size of that buffer as asked of the kernel, which doubles it, for each
///     connection
/// @param pseudonym the proxy's name in `Via`; a token
/// @param key which attribute of a request hashing and affinity go by
/// @param attempts what is tried beside the first attempt of a request
public record ProxySettings(
    String host,
    int instances,
    List<Integer> ports,
    List<BackendAddress> backends,
    PoolSettings pool,
    Timeouts timeouts,
    HeadLimits headLimits,
    int readAheadBytes,
    int receiveBufferBytes,
    String pseudonym,
    RequestAttribute key,
    AttemptPolicy attempts) {
  /// Default of `readAheadBytes`: enough to keep a 10 Gbit/s loopback busy.
  public static final int DEFAULT_READ_AHEAD_BYTES = 64 * 1024;

  /// Default of `receiveBufferBytes`.
  public static final int DEFAULT_RECEIVE_BUFFER_BYTES = 128 * 1024;

  private static final int MAX_INSTANCES = 1024;
  private static final int MAX_PORT = 65_535;

  public ProxySettings {
    ports = List.copyOf(ports);
    backends = List.copyOf(backends);
    check(!host.isEmpty(), "host: empty (expected: an address)");
    check(
        instances >= 1 && instances <= MAX_INSTANCES,
        "instances: " + instances + " (expected: 1 to " + MAX_INSTANCES + ")");
    check(
        ports.isEmpty() || ports.size() == instances,
        "ports: " + ports.size() + " (expected: none, or " + instances + ", one an instance)");
    for (int port : ports) {
      check(port >= 0 && port <= MAX_PORT, "port: " + port + " (expected: 0 to " + MAX_PORT + ")");
    }
    check(
        readAheadBytes >= 4096 && readAheadBytes <= 16 << 20,
        "read-ahead: " + readAheadBytes + " bytes (expected: 4096 to " + (16 << 20) + ")");
    check(
        receiveBufferBytes >= 4096 && receiveBufferBytes <= 16 << 20,
        "receive buffer: " + receiveBufferBytes + " bytes (expected: 4096 to " + (16 << 20) + ")");
    check(
        pseudonym.matches("[A-Za-z0-9._-]{1,64}"),
        "pseudonym: \"" + pseudonym + "\" (expected: 1 to 64 letters, digits, '.', '_' or '-')");
  }

  private static void check(boolean holds, String message) {
    if (!holds) {
      throw new IllegalArgumentException(message);
    }
  }

  /// `instances` on any free ports, everything else as by default.
  public static ProxySettings of(String host, int instances, List<BackendAddress> backends) {
    return new ProxySettings(
        host,
        instances,
        List.of(),
        backends,
        PoolSettings.DEFAULT,
        Timeouts.DEFAULT,
        HeadLimits.DEFAULT,
        DEFAULT_READ_AHEAD_BYTES,
        DEFAULT_RECEIVE_BUFFER_BYTES,
        "herdlab",
        RequestAttribute.DEFAULT,
        AttemptPolicy.NONE);
  }

  /// The same on other ports.
  public ProxySettings withPorts(List<Integer> next) {
    return new ProxySettings(
        host,
        instances,
        next,
        backends,
        pool,
        timeouts,
        headLimits,
        readAheadBytes,
        receiveBufferBytes,
        pseudonym,
        key,
        attempts);
  }

  /// The same with other pools.
  public ProxySettings withPool(PoolSettings next) {
    return new ProxySettings(
        host,
        instances,
        ports,
        backends,
        next,
        timeouts,
        headLimits,
        readAheadBytes,
        receiveBufferBytes,
        pseudonym,
        key,
        attempts);
  }

  /// The same with other time-outs.
  public ProxySettings withTimeouts(Timeouts next) {
    return new ProxySettings(
        host,
        instances,
        ports,
        backends,
        pool,
        next,
        headLimits,
        readAheadBytes,
        receiveBufferBytes,
        pseudonym,
        key,
        attempts);
  }

  /// The same with another attribute.
  public ProxySettings withKey(RequestAttribute next) {
    return new ProxySettings(
        host,
        instances,
        ports,
        backends,
        pool,
        timeouts,
        headLimits,
        readAheadBytes,
        receiveBufferBytes,
        pseudonym,
        next,
        attempts);
  }

  /// The same with other attempts.
  public ProxySettings withAttempts(AttemptPolicy next) {
    return new ProxySettings(
        host,
        instances,
        ports,
        backends,
        pool,
        timeouts,
        headLimits,
        readAheadBytes,
        receiveBufferBytes,
        pseudonym,
        key,
        next);
  }

  /// The port that instance `instance` binds; 0 for any free one.
  int port(int instance) {
    return ports.isEmpty() ? 0 : ports.get(instance);
  }

  /// The backends as balancers know them.
  BackendSet backendSet() {
    List<Backend> set = new ArrayList<>(backends.size());
    for (BackendAddress address : backends) {
      set.add(address.backend());
    }
    return BackendSet.of(set);
  }
}
