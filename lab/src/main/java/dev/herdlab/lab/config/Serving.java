package dev.herdlab.lab.config;

import dev.herdlab.balancer.AttemptPolicy;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.simulator.Model;
import dev.herdlab.workload.Queueing;
import java.util.Set;
import java.util.TreeSet;

/// How the backends of a cell queue and serve, how long its clients wait, and what its proxies try.
///
/// Owner thread: any (immutable).
///
/// @param queueing of each backend
/// @param timeoutNanos after which a request is given up, from its intended instant on, above 0;
///     [Model#NO_TIMEOUT] for clients that wait as long as it takes
/// @param attempts what proxies try beside the first attempt of a request
public record Serving(Queueing queueing, long timeoutNanos, AttemptPolicy attempts) {
  /// One FIFO server without a limit, patient clients, and one attempt each.
  public static final Serving PLAIN = new Serving(Queueing.FIFO, Model.NO_TIMEOUT);

  public Serving {
    if (timeoutNanos <= 0) {
      throw new IllegalArgumentException("timeout: " + timeoutNanos + " ns (expected: > 0)");
    }
  }

  /// One attempt each.
  public Serving(Queueing queueing, long timeoutNanos) {
    this(queueing, timeoutNanos, AttemptPolicy.NONE);
  }

  /// Whether clients give up.
  public boolean hasTimeout() {
    return timeoutNanos != Model.NO_TIMEOUT;
  }

  /// Whether queues have a limit.
  public boolean hasLimit() {
    return queueing.limit() != Queueing.UNBOUNDED;
  }

  /// The failures that belong to what is studied, by label: they say nothing against a run.
  public Set<String> failures() {
    Set<String> labels = new TreeSet<>();
    if (hasTimeout()) {
      labels.add(FailureKind.DEADLINE_EXCEEDED.label());
    }
    if (hasLimit()) {
      labels.add(FailureKind.SHED.label());
    }
    return labels;
  }

  /// The model of the same.
  public Model of(Model model) {
    Model queueingSo = model.withQueueing(queueing).withAttempts(attempts);
    return hasTimeout() ? queueingSo.withTimeout(timeoutNanos) : queueingSo;
  }
}
