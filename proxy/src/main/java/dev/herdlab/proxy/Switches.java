package dev.herdlab.proxy;

import dev.herdlab.balancer.AttemptPolicy;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.transport.PreciseLoop;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The installations of one process's proxies: checks one, carries it out, and knows the last.
///
/// Owner thread: its loop's.
final class Switches {
  private final PreciseLoop loop;
  private final CountBoard.Scope scope;
  private final List<ProxyInstance> instances;
  private final AttemptPolicy attempts;
  private final NumberedListener listener;
  private @Nullable Installation last;
  private long epochNanos;
  private long count;

  /// @param scope of the counts that views show
  Switches(
      PreciseLoop loop,
      CountBoard.Scope scope,
      List<ProxyInstance> instances,
      AttemptPolicy attempts,
      NumberedListener listener) {
    this.loop = loop;
    this.scope = scope;
    this.instances = instances;
    this.attempts = attempts;
    this.listener = listener;
  }

  /// The dispatchers' clock: since the last installation's epoch.
  long clockNanos() {
    return loop.nanos() - epochNanos;
  }

  /// Throws if an installation can't be carried out with these backends.
  void check(Installation next, BackendSet set) {
    if (scope != CountBoard.Scope.ONE_PROCESS && next.view() instanceof ViewSpec.Shared) {
      throw new IllegalArgumentException(
          "view: shared (expected: local or shared-stale: between processes no count is fresh)");
    }
    // A trial, since an algorithm's code may refuse what its parameters seem to allow.
    install(
        new Dispatcher(0, set, new Counts(set), loop::nanos, DispatchListener.NONE),
        next.algorithm(),
        next,
        next.firstProxy(),
        (delayNanos, task) -> {},
        index -> {});
  }

  /// Gives every instance its number, a fresh balancer and a fresh view.
  void install(Installation next) {
    last = next;
    epochNanos = next.epochNanos();
    count++;
    listener.numberFrom(next.firstProxy());
    for (ProxyInstance instance : instances) {
      instance.renumber(next.firstProxy() + instance.index());
      install(
          instance.dispatcher(),
          WatchedAlgorithm.of(next.algorithm(), instance::sees),
          next,
          instance.number(),
          (delayNanos, task) -> {
            var _ = loop.at(loop.nanos() + delayNanos, task);
          },
          instance.signals().beginInstallation());
      instance.signals().endInstallation();
    }
  }

  private void install(
      Dispatcher dispatcher,
      ConfiguredAlgorithm algorithm,
      Installation next,
      int number,
      Ports.Timer timer,
      Ports.Prober prober) {
    dispatcher.install(
        algorithm,
        next.view(),
        SeededRandom.of(next.seed(), "coins", number),
        timer,
        prober,
        new Ports.Peers(number, next.proxiesOf(instances.size())),
        attempts);
  }

  /// The algorithm as it was written; `none` before the first installation, as all below.
  String algorithm() {
    return last == null ? "none" : last.algorithm().spec();
  }

  /// The view as it was written.
  String view() {
    return last == null ? "local" : last.viewText();
  }

  /// Nanoseconds between the copies of the view; 0 if it is always fresh.
  long refreshNanos() {
    return last == null ? 0 : last.refreshNanos();
  }

  /// What the present time is called.
  String phase() {
    return last == null ? "" : last.phase();
  }

  /// Number of installations.
  long count() {
    return count;
  }
}
