package dev.herdlab.workload;

class PoissonTest extends PoissonContract {
  @Override
  String spec() {
    return "poisson";
  }

  @Override
  ArrivalProcess process() {
    return ArrivalProcess.parse(spec(), ARRIVALS_PER_UNIT, UNIT_NANOS);
  }

  @Override
  double expectedArrivals(long nanos) {
    return nanos * ARRIVALS_PER_UNIT / UNIT_NANOS;
  }
}
