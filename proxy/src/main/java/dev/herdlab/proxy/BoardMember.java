package dev.herdlab.proxy;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Snapshot;

/// The proxies of one process as their [CountBoard] sees them.
///
/// Owner thread: the proxies' loop, but for [#execute].
public interface BoardMember {
  /// Runs a task on the loop soon; forgets it if the loop is closed. Any thread.
  void execute(Runnable task);

  /// The set that the proxies pick from now.
  BackendSet backends();

  /// The dispatchers' clock.
  long clockNanos();

  /// What all these proxies together have in flight now. O(n).
  ///
  /// @param number that the copy is to have
  Snapshot inFlight(long number);

  /// How many picks each of these proxies made so far, by its index. O(proxies).
  long[] picks();

  /// Shows a copy to all these proxies, unless their views do not wait for common copies now.
  ///
  /// @param snapshot its `truthNanos` is on the dispatchers' clock
  /// @param picksIncluded how many picks of each of these proxies it knows of
  void showAll(Snapshot snapshot, long[] picksIncluded);

  /// Shows a copy to one of these proxies, unless its view does not wait for one of its own now.
  void show(int instance, Snapshot snapshot, long picksIncluded);
}
