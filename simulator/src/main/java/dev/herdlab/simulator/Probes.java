package dev.herdlab.simulator;

import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.Dispatcher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The probes on their way in one run of the model: each takes the same time to its backend as its
/// answer takes back. With no delay the answer is there at the instant of sending, but after
/// everything else of that instant.
///
/// Cost: two events of the queue a probe, one without delay. Owner thread: its model's.
final class Probes {
  private final Dispatcher[] dispatchers;
  private final Signals signals;
  private final EventQueue queue;
  private final long delayNanos;
  private final List<Probe> underWay = new ArrayList<>();
  private final ArrayDeque<Integer> free = new ArrayDeque<>();

  /// One on its way.
  ///
  /// @param answer absent until it has reached the backend
  private record Probe(int proxy, int backend, Optional<BackendSignal> answer) {}

  /// @param delayNanos one way, 0 or more
  Probes(Dispatcher[] dispatchers, Signals signals, EventQueue queue, long delayNanos) {
    this.dispatchers = dispatchers;
    this.signals = signals;
    this.queue = queue;
    this.delayNanos = delayNanos;
  }

  /// A proxy sends one to a backend.
  void send(int proxy, int backend, long nowNanos) {
    signals.wake(nowNanos);
    Probe probe = new Probe(proxy, backend, Optional.empty());
    int number = free.isEmpty() ? underWay.size() : free.pop();
    if (number == underWay.size()) {
      underWay.add(probe);
    } else {
      underWay.set(number, probe);
    }
    queue.add(Math.addExact(nowNanos, delayNanos), EventQueue.Kind.PROBE, number);
  }

  /// One has arrived where it went.
  void arrived(int number, long nowNanos) {
    Probe probe = underWay.get(number);
    Optional<BackendSignal> answer =
        probe.answer().or(() -> signals.answer(probe.backend(), nowNanos));
    if (probe.answer().isEmpty() && answer.isPresent() && delayNanos > 0) {
      underWay.set(number, new Probe(probe.proxy(), probe.backend(), answer));
      queue.add(Math.addExact(nowNanos, delayNanos), EventQueue.Kind.PROBE, number);
    } else {
      // One that a backend does not answer is lost.
      free.push(number);
      answer.ifPresent(dispatchers[probe.proxy()]::observe);
    }
  }
}
