package dev.herdlab.stub;

import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.ServiceLaw;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// Everything that defines a [StubPool].
///
/// Owner thread: any (immutable).
///
/// @param host address to bind, e.g. `127.0.0.1`
/// @param backends the backends; 1 or more, ids unique
/// @param service law of the service time of a request that names none
/// @param unitNanos length of the law's unit, above 0
/// @param seed source of the drawn service times; each backend draws from its own stream
/// @param bodyBytes length of a response's body where the engine is the fixed one, 0 or more
/// @param queueing how each backend queues and serves; requests beyond its limit are shed: refused
///     with 503
/// @param readAheadBytes most bytes that a connection may send ahead while its request is served
/// @param deadlines how waiting requests follow each other; `CHAINED` for one FIFO server alone
public record StubSettings(
    String host,
    List<StubBackend> backends,
    ServiceLaw service,
    long unitNanos,
    long seed,
    int bodyBytes,
    Queueing queueing,
    int readAheadBytes,
    Deadlines deadlines) {
  /// Default length of a body: a word, so that the socket's share of the latency stays small.
  public static final int DEFAULT_BODY_BYTES = 3;

  /// Default bound of a backend's queue: far above what a stable run reaches, far below what memory
  /// holds.
  public static final int DEFAULT_QUEUE_LIMIT = 10_000;

  /// Default bound of what a connection may send ahead: a few dozen heads. A guess.
  public static final int DEFAULT_READ_AHEAD_BYTES = 64 * 1024;

  /// Longest service time that a request may ask for, and bound of the drawn ones: an hour.
  public static final long MAX_SERVICE_NANOS = ServiceLaw.NEVER_NANOS;

  private static final int MAX_BODY_BYTES = 16 * 1024 * 1024;

  public StubSettings {
    backends = List.copyOf(backends);
    if (backends.isEmpty()) {
      throw new IllegalArgumentException("backends: none (expected: 1 or more)");
    }
    Set<String> ids = new HashSet<>();
    for (StubBackend backend : backends) {
      if (!ids.add(backend.id())) {
        throw new IllegalArgumentException("id: \"" + backend.id() + "\" twice (expected: unique)");
      }
    }
    requireAtLeast("unitNanos", unitNanos, 1);
    requireAtLeast("bodyBytes", bodyBytes, 0);
    requireAtLeast("readAheadBytes", readAheadBytes, 1);
    if (deadlines == Deadlines.CHAINED
        && (queueing.discipline() != Queueing.Discipline.FIFO || queueing.servers() > 1)) {
      throw new IllegalArgumentException(
          "deadlines: CHAINED (expected: IDEAL with " + queueing.discipline() + ")");
    }
    if (bodyBytes > MAX_BODY_BYTES) {
      throw new IllegalArgumentException(
          "bodyBytes: " + bodyBytes + " (expected: at most " + MAX_BODY_BYTES + ")");
    }
  }

  /// Backends b0, b1, ... on any free loopback ports, one for each speed.
  public static StubSettings ofSpeeds(
      List<Double> speeds, ServiceLaw service, long unitNanos, long seed) {
    return new StubSettings(
        "127.0.0.1",
        StubBackend.series("b", Collections.nCopies(speeds.size(), 0), speeds),
        service,
        unitNanos,
        seed,
        DEFAULT_BODY_BYTES,
        Queueing.FIFO.withLimit(DEFAULT_QUEUE_LIMIT),
        DEFAULT_READ_AHEAD_BYTES,
        Deadlines.IDEAL);
  }

  /// The same, for other backends.
  public StubSettings with(List<StubBackend> others) {
    return new StubSettings(
        host, others, service, unitNanos, seed, bodyBytes, queueing, readAheadBytes, deadlines);
  }

  /// The same, with other deadlines.
  public StubSettings with(Deadlines other) {
    return new StubSettings(
        host, backends, service, unitNanos, seed, bodyBytes, queueing, readAheadBytes, other);
  }

  /// The same, with backends that queue and serve otherwise; within [#DEFAULT_QUEUE_LIMIT].
  public StubSettings with(Queueing other) {
    return new StubSettings(
        host,
        backends,
        service,
        unitNanos,
        seed,
        bodyBytes,
        other.withLimit(Math.min(other.limit(), DEFAULT_QUEUE_LIMIT)),
        readAheadBytes,
        deadlines);
  }

  /// The same, with other bounds.
  public StubSettings withBounds(int otherBodyBytes, int otherQueueLimit, int otherReadAheadBytes) {
    return new StubSettings(
        host,
        backends,
        service,
        unitNanos,
        seed,
        otherBodyBytes,
        queueing.withLimit(otherQueueLimit),
        otherReadAheadBytes,
        deadlines);
  }

  private static void requireAtLeast(String name, long value, long least) {
    if (value < least) {
      throw new IllegalArgumentException(name + ": " + value + " (expected: >= " + least + ")");
    }
  }
}
