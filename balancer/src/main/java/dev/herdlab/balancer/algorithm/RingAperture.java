package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.Arrays;

/// Finagle's deterministic aperture: backends lie on a ring of length 1, each as long as its share
/// of the weights; a proxy has the arc that begins at its number over the number of proxies, whose
/// length is a whole number of proxies' shares, so that all arcs together cover the ring evenly. A
/// backend that lies partly in the arc counts for that part.
///
/// Cost: see [ApertureDraw]; O(n) when the set changes. Owner thread: its dispatcher's.
/// Source: Finagle aperture/WeightedAperture.scala, DeterministicAperture.scala, commit 4feb34c.
final class RingAperture implements LoadBalancer, ApertureDraw.Distribution {
  private final int least;
  private final Ports.Peers peers;
  private final Members members;
  private final Ports.RandomSource random;
  private BackendSet backends;

  /// The members' parts of the ring, by place.
  private double[] parts = new double[0];

  private AliasTable table = new AliasTable();

  /// @param least backends' worth of ring that the arc is at least, 1 or more
  /// @param peers which proxy this is, of how many
  RingAperture(
      BackendSet backends, View view, int least, Ports.Peers peers, Ports.RandomSource random) {
    this.least = least;
    this.peers = peers;
    this.random = random;
    this.backends = backends;
    this.members = new Members(view, new int[0]);
    lay();
  }

  private void lay() {
    int size = backends.size();
    double[] weights = new double[size];
    for (int i = 0; i < size; i++) {
      weights[i] = backends.get(i).weight();
    }
    double unit = 1.0 / peers.count();
    double offset = peers.number() * unit % 1.0;
    double[] all =
        size == 0 ? weights : parts(weights, offset, width(unit, size, Math.min(least, size)));
    int[] indices = new int[size];
    int count = 0;
    for (int i = 0; i < size; i++) {
      if (all[i] > 0) {
        indices[count] = i;
        count++;
      }
    }
    int[] within = Arrays.copyOf(indices, count);
    parts = new double[count];
    for (int place = 0; place < count; place++) {
      parts[place] = all[within[place]];
    }
    members.become(within);
    table = new AliasTable(parts);
  }

  /// The length of an arc: the least whole number of proxies' shares that has `aperture` backends'
  /// worth.
  ///
  /// @param unit one over the number of proxies
  static double width(double unit, int backends, int aperture) {
    return Math.min(1, Math.ceil(aperture * (1.0 / backends) / unit) * unit);
  }

  /// What part of each backend lies in the arc from `offset` on, by index.
  static double[] parts(double[] weights, double offset, double width) {
    double sum = Arrays.stream(weights).sum();
    double[] parts = new double[weights.length];
    double end = offset + width;
    double position = 0;
    for (int index = 0; position < end; index = (index + 1) % weights.length) {
      double length = weights[index] / sum;
      if (position < offset) {
        if (position + length >= offset) {
          parts[index] += Math.min(width, length + position - offset);
        }
      } else {
        parts[index] += position + length > end ? end - position : length;
      }
      position += length;
    }
    return parts;
  }

  @Override
  public PickResult pick(PickContext context) {
    return backends.size() == 0
        ? NoBackend.EMPTY_SET
        : new Picked(backends, members.index(ApertureDraw.pick(this, members)));
  }

  @Override
  public int draw() {
    return table.draw(random);
  }

  @Override
  public double weight(int place) {
    return parts[place];
  }

  @Override
  public void update(BackendSet next) {
    backends = next;
    lay();
  }
}
