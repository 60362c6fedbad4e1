package dev.herdlab.proxy.redis;

import io.lettuce.core.RedisURI;
import java.time.Duration;

/// Where processes share their counts, and how patient they are. Owner thread: any (immutable).
///
/// @param uri of the Redis server, `redis://[[user]:password@]host[:port][/database]`
/// @param group processes with the same one share counts: 1 to 64 letters, digits, `.`, `_` or `-`
/// @param answerBound how long a collection waits for processes to answer, 100 us to 1 s; longer
///     than it takes a busy one, since who is late stands in the copy with counts of an earlier one
/// @param expiry how long the counts of a process that answers no more are kept beyond the next
///     copy, 1 ms to 1 min
/// @param patience how long Redis may take for an answer, or to be connected to, before it counts
///     as away, 10 ms to 1 min
/// @param retry how long after a loss or a failed attempt it is connected to again, 1 ms to 1 min
public record RedisSettings(
    String uri,
    String group,
    Duration answerBound,
    Duration expiry,
    Duration patience,
    Duration retry) {
  private static final Duration MILLISECOND = Duration.ofMillis(1);
  private static final Duration MINUTE = Duration.ofMinutes(1);

  public RedisSettings {
    try {
      var _ = RedisURI.create(uri);
    } catch (RuntimeException e) {
      throw new IllegalArgumentException(
          "board: not an address of Redis (expected: redis://host:port)", e);
    }
    if (!group.matches("[A-Za-z0-9._-]{1,64}")) {
      throw new IllegalArgumentException(
          "group: \"" + group + "\" (expected: 1 to 64 letters, digits, '.', '_' or '-')");
    }
    check("answer bound", answerBound, Duration.ofNanos(100_000), Duration.ofSeconds(1));
    check("expiry", expiry, MILLISECOND, MINUTE);
    check("patience", patience, Duration.ofMillis(10), MINUTE);
    check("retry", retry, MILLISECOND, MINUTE);
  }

  private static void check(String name, Duration value, Duration least, Duration most) {
    if (value.compareTo(least) < 0 || value.compareTo(most) > 0) {
      throw new IllegalArgumentException(
          "%s: %s (expected: %s to %s)".formatted(name, value, least, most));
    }
  }

  /// Waits 5 ms for answers, forgets a silent process after half a second, takes a Redis that does
  /// not answer for a second as away, and tries again each quarter of a second.
  public static RedisSettings of(String uri, String group) {
    return new RedisSettings(
        uri,
        group,
        Duration.ofMillis(5),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(250));
  }

  /// The same, with another expiry.
  public RedisSettings withExpiry(Duration next) {
    return new RedisSettings(uri, group, answerBound, next, patience, retry);
  }

  /// The same, with another bound for answers.
  public RedisSettings withAnswerBound(Duration next) {
    return new RedisSettings(uri, group, next, expiry, patience, retry);
  }

  /// The same, with another patience, and as long a wait before the next attempt.
  public RedisSettings withPatience(Duration next) {
    return new RedisSettings(uri, group, answerBound, expiry, next, next);
  }

  @Override
  public String toString() {
    return "counts of group " + group + " at " + where();
  }

  /// The server without user and password, for people.
  String where() {
    RedisURI parsed = RedisURI.create(uri);
    return "redis://" + parsed.getHost() + ":" + parsed.getPort();
  }
}
