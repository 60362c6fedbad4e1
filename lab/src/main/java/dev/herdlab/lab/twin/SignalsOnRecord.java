package dev.herdlab.lab.twin;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;

/// What backends said, put together from a record event by event.
///
/// Cost: O(1) an event. Owner thread: its audit's.
final class SignalsOnRecord {
  private static final int MOST_NUMBERS = 3;

  private final BackendSet backends;
  // The last ones; where a record lacks some, what was there before stays.
  private final long[] numbers = new long[MOST_NUMBERS];

  SignalsOnRecord(BackendSet backends) {
    this.backends = backends;
  }

  /// A number of what comes next.
  void number(long bits) {
    numbers[0] = numbers[1];
    numbers[1] = numbers[2];
    numbers[2] = bits;
  }

  /// The answer to a probe, whose latency came last.
  BackendSignal reply(int backend, long inFlight) {
    return new BackendSignal.ProbeReply(name(backend), Math.toIntExact(inFlight), numbers[2]);
  }

  /// An idle notice.
  BackendSignal idle(int backend) {
    return new BackendSignal.IdleNotice(name(backend));
  }

  /// A load report, whose three fractions came last.
  BackendSignal report(int backend, long inFlight) {
    return new BackendSignal.LoadReport(
        name(backend),
        Math.toIntExact(inFlight),
        Double.longBitsToDouble(numbers[0]),
        Double.longBitsToDouble(numbers[1]),
        Double.longBitsToDouble(numbers[2]));
  }

  private String name(int backend) {
    return backend >= 0 && backend < backends.size()
        ? backends.get(backend).id()
        : AuditedProxy.UNKNOWN;
  }
}
