package dev.herdlab.loadgen;

import dev.herdlab.transport.HeadLimits;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;

/// Everything that defines a [Generator].
///
/// Owner thread: any (immutable).
///
/// @param proxies where each proxy listens, by number; none until they are found
/// @param path what is asked for, e.g. `/`
/// @param connections connections to each proxy that are opened before the clock starts, 1 or more
/// @param connectionLimit most connections to one proxy; a request that finds none fails
/// @param connectTimeout bound of one connection's opening
/// @param requestTimeout bound from a request's send to its last byte
/// @param stopTimeout how long a stopped run waits for what is in flight
/// @param headLimitBytes longest response head, 64 to 1 MiB
/// @param limitNanos how long a client waits for a request from its intended instant on, above 0:
///     proxies are told, and give up then; [#UNLIMITED] for clients that do not say
public record GeneratorSettings(
    List<InetSocketAddress> proxies,
    String path,
    int connections,
    int connectionLimit,
    Duration connectTimeout,
    Duration requestTimeout,
    Duration stopTimeout,
    int headLimitBytes,
    long limitNanos) {
  /// Clients wait as long as it takes.
  public static final long UNLIMITED = Long.MAX_VALUE;

  /// Default bound of the connections to one proxy: what only a system without a steady state
  /// reaches. A guess.
  public static final int DEFAULT_CONNECTION_LIMIT = 4096;

  /// Default bound of a connection's opening.
  public static final Duration DEFAULT_CONNECT_TIMEOUT = Duration.ofSeconds(5);

  /// Default bound of a request: three thousand units of 10 ms, so that only what is lost runs into
  /// it.
  public static final Duration DEFAULT_REQUEST_TIMEOUT = Duration.ofSeconds(30);

  /// Default wait for what is in flight when a run is stopped: what a person at the keyboard will
  /// bear.
  public static final Duration DEFAULT_STOP_TIMEOUT = Duration.ofSeconds(2);

  /// Default bound of a response head.
  public static final int DEFAULT_HEAD_LIMIT_BYTES = 16 * 1024;

  public GeneratorSettings {
    proxies = List.copyOf(proxies);
    if (!path.startsWith("/") || !path.chars().allMatch(c -> c > ' ' && c < 0x7F)) {
      throw new IllegalArgumentException(
          "path: \"" + path + "\" (expected: / and printable ASCII without spaces)");
    }
    if (connections < 1 || connections > connectionLimit) {
      throw new IllegalArgumentException(
          "connections: " + connections + " (expected: 1 to the limit of " + connectionLimit + ")");
    }
    requirePositive("connectTimeout", connectTimeout);
    requirePositive("requestTimeout", requestTimeout);
    requirePositive("stopTimeout", stopTimeout);
    headLimits(headLimitBytes);
    if (limitNanos <= 0) {
      throw new IllegalArgumentException("limit: " + limitNanos + " ns (expected: > 0)");
    }
  }

  /// `connections` to each of the proxies, and defaults for the rest.
  public static GeneratorSettings of(List<InetSocketAddress> proxies, int connections) {
    return new GeneratorSettings(
        proxies,
        "/",
        connections,
        Math.max(connections, DEFAULT_CONNECTION_LIMIT),
        DEFAULT_CONNECT_TIMEOUT,
        DEFAULT_REQUEST_TIMEOUT,
        DEFAULT_STOP_TIMEOUT,
        DEFAULT_HEAD_LIMIT_BYTES,
        UNLIMITED);
  }

  /// The same, with other bounds in time.
  public GeneratorSettings withTimeouts(Duration connect, Duration request, Duration stop) {
    return new GeneratorSettings(
        proxies,
        path,
        connections,
        connectionLimit,
        connect,
        request,
        stop,
        headLimitBytes,
        limitNanos);
  }

  /// The same with clients that wait so long.
  public GeneratorSettings withLimit(long nanos) {
    return new GeneratorSettings(
        proxies,
        path,
        connections,
        connectionLimit,
        connectTimeout,
        requestTimeout,
        stopTimeout,
        headLimitBytes,
        nanos);
  }

  /// The same, with another bound of the connections to one proxy.
  public GeneratorSettings withConnectionLimit(int limit) {
    return new GeneratorSettings(
        proxies,
        path,
        connections,
        limit,
        connectTimeout,
        requestTimeout,
        stopTimeout,
        headLimitBytes,
        limitNanos);
  }

  /// Bounds of a response head.
  HeadLimits headLimits() {
    return headLimits(headLimitBytes);
  }

  private static HeadLimits headLimits(int bytes) {
    return new HeadLimits(bytes, HeadLimits.DEFAULT.maxFields());
  }

  private static void requirePositive(String name, Duration value) {
    if (value.isNegative() || value.isZero()) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: > 0)");
    }
  }
}
