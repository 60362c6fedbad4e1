package dev.herdlab.proxy;

import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Further;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Snapshot;

/// Passes on what dispatchers report, with the number of each proxy in place of its index in the
/// process. Owner thread: the dispatchers'.
final class NumberedListener implements DispatchListener {
  private final DispatchListener next;
  private int first;

  NumberedListener(DispatchListener next) {
    this.next = next;
  }

  /// Numbers the proxies from `number` on.
  void numberFrom(int number) {
    first = number;
  }

  @Override
  public void picked(int proxy, Picked picked, PickContext context) {
    next.picked(first + proxy, picked, context);
  }

  @Override
  public void refused(int proxy, PickContext context, long nowNanos) {
    next.refused(first + proxy, context, nowNanos);
  }

  @Override
  public void waits(int proxy, PickContext context, int pinned, long nowNanos) {
    next.waits(first + proxy, context, pinned, nowNanos);
  }

  @Override
  public void again(int proxy, Further why, int index, long nowNanos) {
    next.again(first + proxy, why, index, nowNanos);
  }

  @Override
  public void overBudget(int proxy, long nowNanos) {
    next.overBudget(first + proxy, nowNanos);
  }

  @Override
  public void completed(int proxy, Picked picked, Outcome outcome, long nowNanos) {
    next.completed(first + proxy, picked, outcome, nowNanos);
  }

  @Override
  public void refreshed(int proxy, Snapshot snapshot, long picksNotIncluded, long nowNanos) {
    next.refreshed(first + proxy, snapshot, picksNotIncluded, nowNanos);
  }

  @Override
  public void observed(int proxy, int index, BackendSignal signal, long nowNanos) {
    next.observed(first + proxy, index, signal, nowNanos);
  }

  @Override
  public void installed(int proxy, long nowNanos) {
    next.installed(first + proxy, nowNanos);
  }

  @Override
  public void kept(int proxy, int index, long sequence, long nowNanos) {
    next.kept(first + proxy, index, sequence, nowNanos);
  }

  @Override
  public void updated(int proxy, long version, long nowNanos) {
    next.updated(first + proxy, version, nowNanos);
  }
}
