package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;

/// Finagle's random aperture: backends stand in an order that is the proxy's own, and it uses the
/// first of them, one more when these have too many requests each, one less when they have too few.
///
/// How many it has itself, over all, is averaged over time and divided by the aperture's size.
///
/// Cost: see [ApertureDraw], O(log n) a draw; one exponential at each pick and completion. Owner
/// thread: its dispatcher's.
/// Source: Finagle aperture/RandomAperture.scala, LoadBand.scala, BaseDist.scala, util/Ema.scala,
/// commit 4feb34c.
/// Deviation: when the set changes the size of the aperture stays; Finagle's begins anew.
final class RandomAperture implements LoadBalancer, ApertureDraw.Distribution {
  private final Band band;
  private final long seed;
  private final Members members;
  private final Ports ports;
  private BackendSet backends;

  /// Sums of the shares of the weights up to and including each place.
  private double[] shares = new double[0];

  private int aperture;
  private int inFlight;
  private double average;
  private long averagedNanos;
  private boolean averaged;

  /// When the aperture changes.
  ///
  /// @param least backends at least
  /// @param low requests a backend at which it becomes smaller
  /// @param high requests a backend at which it becomes larger, above `low`
  /// @param windowNanos over which the requests are averaged, exponentially
  record Band(int least, double low, double high, long windowNanos) {
    Band {
      if (low >= high) {
        throw new IllegalArgumentException("low: " + low + " (expected: below high, " + high + ")");
      }
    }
  }

  RandomAperture(BackendSet backends, View view, Band band, Ports ports) {
    this.band = band;
    this.ports = ports;
    this.seed = Subset.seed(ports.random());
    this.backends = backends;
    this.aperture = band.least();
    this.members = new Members(view, new int[0]);
    lay();
  }

  /// Orders the backends by a hash with the proxy's seed, in the place of Finagle's random tokens:
  /// one that returns has its old place.
  private void lay() {
    int size = backends.size();
    members.become(Subset.ranked(backends, seed));
    shares = new double[size];
    double sum = 0;
    for (int i = 0; i < size; i++) {
      sum += backends.get(i).weight();
    }
    double up = 0;
    for (int place = 0; place < size; place++) {
      up += backends.get(members.index(place)).weight() / sum;
      shares[place] = up;
    }
    adjust(0);
  }

  private void adjust(int change) {
    int size = backends.size();
    aperture = Math.max(Math.min(band.least(), size), Math.min(size, aperture + change));
  }

  /// Backends in use.
  int aperture() {
    return aperture;
  }

  @Override
  public PickResult pick(PickContext context) {
    if (backends.size() == 0) {
      return NoBackend.EMPTY_SET;
    }
    int place = ApertureDraw.pick(this, members);
    inFlight++;
    follow();
    return new Picked(backends, members.index(place));
  }

  @Override
  public int draw() {
    double drawn = ports.random().unit() * aperture / backends.size();
    int low = 0;
    int high = shares.length - 1;
    while (low < high) {
      int middle = (low + high) >>> 1;
      if (shares[middle] < drawn) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  public double weight(int place) {
    return backends.get(members.index(place)).weight();
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    inFlight--;
    follow();
  }

  private void follow() {
    long nowNanos = ports.clock().nanos();
    if (averaged) {
      double kept = StrictMath.exp(-(nowNanos - averagedNanos) / (double) band.windowNanos());
      average = inFlight * (1 - kept) + average * kept;
    } else {
      average = inFlight;
      averaged = true;
    }
    averagedNanos = nowNanos;
    double each = average / aperture;
    if (each >= band.high()) {
      adjust(1);
    } else if (each <= band.low()) {
      adjust(-1);
    }
  }

  @Override
  public void update(BackendSet next) {
    backends = next;
    lay();
  }
}
