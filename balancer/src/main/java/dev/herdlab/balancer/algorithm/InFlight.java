package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.View;

/// The load metric "requests in flight", as one view sees them. Cost: one array read. Owner thread:
/// its balancer's.
final class InFlight implements LoadMetric {
  private final View view;

  InFlight(View view) {
    this.view = view;
  }

  @Override
  public double load(int index) {
    return view.inFlight(index);
  }
}
