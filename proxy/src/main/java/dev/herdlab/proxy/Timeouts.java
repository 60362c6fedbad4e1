package dev.herdlab.proxy;

import java.time.Duration;
import java.util.List;

/// How long the proxy waits for whom. All but the first and the last are met to within
/// [#sweepNanos], late, never early.
///
/// Owner thread: any (immutable).
///
/// @param connect a connection to a backend must be established; else `connect-timeout`
/// @param requestHead a request's head must be complete, from its first byte; else
///     `request-timeout`
/// @param responseHead a response's head must be complete, from the last byte of the request; else
///     `response-timeout`
/// @param progress a body must move, from the last bytes of it; else `request-timeout` or
///     `response-timeout`, whoever is waited for, or the exchange is cancelled if a client does not
///     read
/// @param clientIdle a connection of a client may wait for its next request
/// @param backendIdle a pooled connection may wait for its next use
/// @param linger after a response to a request that was not read to its end, its rest is read and
///     dropped so long, so that the response is not lost in a reset
/// @param probe a probe must be answered, from the balancer's wish on; else it is lost
public record Timeouts(
    Duration connect,
    Duration requestHead,
    Duration responseHead,
    Duration progress,
    Duration clientIdle,
    Duration backendIdle,
    Duration linger,
    Duration probe) {
  // Before DEFAULT, which is checked against them.
  private static final Duration SHORTEST = Duration.ofMillis(1);
  private static final Duration LONGEST = Duration.ofDays(1);

  /// Far above any service time of a stable run; the idle ones outlast an experiment, and a probe
  /// that is answered at once needs a hundredth of its time.
  public static final Timeouts DEFAULT =
      new Timeouts(
          Duration.ofSeconds(1),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofSeconds(30),
          Duration.ofMinutes(10),
          Duration.ofMinutes(10),
          Duration.ofSeconds(1),
          Duration.ofMillis(100));

  private static final long SHORTEST_SWEEP_NANOS = 1_000_000;
  private static final long LONGEST_SWEEP_NANOS = 250_000_000;

  public Timeouts {
    check("connect", connect);
    check("request head", requestHead);
    check("response head", responseHead);
    check("progress", progress);
    check("client idle", clientIdle);
    check("backend idle", backendIdle);
    check("linger", linger);
    check("probe", probe);
  }

  private static void check(String name, Duration duration) {
    if (duration.compareTo(SHORTEST) < 0 || duration.compareTo(LONGEST) > 0) {
      throw new IllegalArgumentException(
          name + " time-out: " + duration.toMillis() + " ms (expected: 1 ms to 1 day)");
    }
  }

  /// The same, with another time for a response's head.
  public Timeouts withResponseHead(Duration next) {
    return new Timeouts(
        connect, requestHead, next, progress, clientIdle, backendIdle, linger, probe);
  }

  /// The same, with another time for a connection.
  public Timeouts withConnect(Duration next) {
    return new Timeouts(
        next, requestHead, responseHead, progress, clientIdle, backendIdle, linger, probe);
  }

  /// The same, with another time for a request's head.
  public Timeouts withRequestHead(Duration next) {
    return new Timeouts(
        connect, next, responseHead, progress, clientIdle, backendIdle, linger, probe);
  }

  /// The same, with another time for a body to move.
  public Timeouts withProgress(Duration next) {
    return new Timeouts(
        connect, requestHead, responseHead, next, clientIdle, backendIdle, linger, probe);
  }

  /// The same, with another time for a probe.
  public Timeouts withProbe(Duration next) {
    return new Timeouts(
        connect, requestHead, responseHead, progress, clientIdle, backendIdle, linger, next);
  }

  /// How often the connections are looked at: a quarter of the shortest time-out, 1 ms to 250 ms.
  long sweepNanos() {
    long shortest =
        List.of(requestHead, responseHead, progress, clientIdle, backendIdle, linger).stream()
            .mapToLong(Duration::toNanos)
            .min()
            .orElseThrow();
    return Math.clamp(shortest / 4, SHORTEST_SWEEP_NANOS, LONGEST_SWEEP_NANOS);
  }
}
