package dev.herdlab.workload;

import java.util.Locale;

/// How a backend queues and serves: in what order, by how many servers, and how many requests it
/// takes at all.
///
/// Owner thread: any (immutable).
///
/// @param discipline who is served next
/// @param servers how many work at once, 1 to [#MAX_SERVERS]; each has the backend's speed
/// @param limit most requests at the backend, those in service included; more are shed. Not below
///     `servers`; [#UNBOUNDED] for no limit
public record Queueing(Discipline discipline, int servers, int limit) {
  /// A limit that nothing reaches.
  public static final int UNBOUNDED = Integer.MAX_VALUE;

  /// Most servers of a backend: threads of a large pool.
  public static final int MAX_SERVERS = 1000;

  /// One server, first in first out, no limit.
  public static final Queueing FIFO = new Queueing(Discipline.FIFO, 1, UNBOUNDED);

  /// Who is served next, and how.
  public enum Discipline {
    /// First in, first out.
    FIFO,
    /// Last in, first out; a service that has begun is not interrupted.
    LIFO,
    /// Processor sharing: all are in service at once, and share the servers equally, of which one
    /// request can use one at most.
    PS;

    /// The word for it.
    public String label() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  public Queueing {
    if (servers < 1 || servers > MAX_SERVERS) {
      throw new IllegalArgumentException(
          "servers: " + servers + " (expected: 1 to " + MAX_SERVERS + ")");
    }
    if (limit < servers) {
      throw new IllegalArgumentException(
          "limit: " + limit + " (expected: at least the servers, " + servers + ")");
    }
  }

  /// The same with another limit.
  public Queueing withLimit(int other) {
    return new Queueing(discipline, servers, other);
  }

  /// An empty station of this kind; the limit is its host's affair.
  ///
  /// @param speed a job takes 1/`speed` of its service time
  public <T> Station<T> station(double speed) {
    return switch (discipline) {
      case FIFO -> servers == 1 ? new FifoServer<>(speed) : manyServers(speed);
      case LIFO -> manyServers(speed);
      case PS -> new SharedServer<>(servers, speed);
    };
  }

  private <T> Station<T> manyServers(double speed) {
    return new ManyServers<>(discipline, servers, speed);
  }
}
