package dev.herdlab.stub;

import dev.herdlab.workload.RandomStream;

/// A service time to be drawn. Owner thread: any (immutable; the stream is its backend's).
@FunctionalInterface
public interface ServiceDraw {
  /// Nanoseconds at speed 1; taken as 0 if below, as [StubSettings#MAX_SERVICE_NANOS] if beyond.
  long nanos(RandomStream random);
}
