package dev.herdlab.simulator;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.Dispatcher;
import java.util.List;
import java.util.function.Consumer;

/// The changes of the system in one run of the model, one after another, and who its members are.
///
/// Cost: O(1) to know the next, and what a change costs the proxies. Owner thread: its model's.
final class ModelChanges {
  private final List<Change.Timed> changes;
  private final BackendSet all;
  private final Members members;
  private final ModelBackends servers;
  private final Counts truth;
  private final Dispatcher[] dispatchers;
  private final Consumer<Attempt> lost;
  private final Runnable restart;
  private int next;

  /// @param all the run's whole set
  /// @param truth the counts that all dispatchers share
  /// @param lost hears of each attempt that a backend loses, which is no longer there
  /// @param restart gives all proxies fresh balancers
  ModelChanges(
      List<Change.Timed> changes,
      BackendSet all,
      ModelBackends servers,
      Counts truth,
      Dispatcher[] dispatchers,
      Consumer<Attempt> lost,
      Runnable restart) {
    this.changes = changes;
    this.all = all;
    this.members = new Members(all);
    this.servers = servers;
    this.truth = truth;
    this.dispatchers = dispatchers;
    this.lost = lost;
    this.restart = restart;
  }

  /// When the next one is due, not before the run's start; `Long.MAX_VALUE` when none is.
  long nanos() {
    return next < changes.size() ? Math.max(0, changes.get(next).nanos()) : Long.MAX_VALUE;
  }

  /// Makes the next one.
  void make(long nowNanos) {
    Change change = changes.get(next++).change();
    switch (change) {
      case Change.Fault fault ->
          servers.changeFault(fault.backend(), fault.fault(), nowNanos).forEach(lost);
      case Change.Speed speed -> servers.changeSpeed(speed.backend(), speed.speed(), nowNanos);
      case Change.Weight _, Change.Leave _, Change.Join _ ->
          members.make(change).ifPresent(this::update);
      case Change.Restart _ -> restart.run();
    }
  }

  private void update(BackendSet now) {
    truth.update(now);
    for (Dispatcher proxy : dispatchers) {
      proxy.update(now);
    }
  }

  /// Whether a backend is a member, by its number.
  boolean has(int backend) {
    return members.has(backend);
  }

  /// The number in the whole set of a backend of another one.
  int number(BackendSet set, int index) {
    return set == all ? index : all.indexOf(set.get(index).id());
  }
}
