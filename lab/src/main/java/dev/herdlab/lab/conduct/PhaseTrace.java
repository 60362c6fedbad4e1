package dev.herdlab.lab.conduct;

import dev.herdlab.lab.config.Cell;
import dev.herdlab.workload.RandomStream;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// The requests of a phase: those of the cell's laws that come within its length, and their split
/// over several generators.
///
/// A Poisson stream cut at an instant goes on as a Poisson stream, so phases join without a seam;
/// and each request sent by a random generator makes of one Poisson stream several independent ones
/// that add up to it. Owner thread: any (no state).
final class PhaseTrace {
  private PhaseTrace() {}

  /// The requests whose intended instants are within `lengthNanos`. Cost: about 100 ns a request.
  ///
  /// @throws IllegalArgumentException if there would be more than a trace may have
  static Trace draw(Cell cell, long lengthNanos, long seed) {
    double units = (double) lengthNanos / cell.plan().unitNanos();
    double expected = cell.plan().arrivalsPerUnit() * units;
    // Six standard deviations of a Poisson count more than expected: rarely drawn again.
    int count = bounded(expected + 6 * Math.sqrt(expected) + 16);
    Trace drawn = cell.workload(count, 0).trace(seed);
    while (drawn.lastIntendedNanos() < lengthNanos) {
      count = bounded(2.0 * count);
      drawn = cell.workload(count, 0).trace(seed);
    }
    return before(drawn, lengthNanos);
  }

  private static int bounded(double requests) {
    if (requests > Trace.MAX_REQUESTS) {
      throw new IllegalArgumentException(
          "phase: about %.0f requests (expected: at most %d; make it shorter)"
              .formatted(requests, Trace.MAX_REQUESTS));
    }
    return (int) requests;
  }

  private static Trace before(Trace drawn, long lengthNanos) {
    int size = 0;
    while (size < drawn.size() && drawn.intendedNanos(size) < lengthNanos) {
      size++;
    }
    return select(drawn, range(size));
  }

  private static int[] range(int size) {
    int[] indices = new int[size];
    Arrays.setAll(indices, i -> i);
    return indices;
  }

  /// Gives each request to one of `generators` at random, by the stream (seed, "generator").
  ///
  /// @return one trace for each generator, which may be empty; together they are `whole`
  static List<Trace> split(Trace whole, int generators, long seed) {
    RandomStream stream = RandomStream.of(seed, "generator");
    int[] owner = new int[whole.size()];
    int[] sizes = new int[generators];
    for (int i = 0; i < owner.length; i++) {
      owner[i] = stream.below(generators);
      sizes[owner[i]]++;
    }
    List<Trace> parts = new ArrayList<>();
    for (int g = 0; g < generators; g++) {
      int[] mine = new int[sizes[g]];
      int next = 0;
      for (int i = 0; i < owner.length; i++) {
        if (owner[i] == g) {
          mine[next++] = i;
        }
      }
      parts.add(select(whole, mine));
    }
    return parts;
  }

  private static Trace select(Trace from, int[] indices) {
    long[] intended = new long[indices.length];
    int[] proxy = new int[indices.length];
    long[] service = new long[indices.length];
    int[] tenant = new int[indices.length];
    for (int i = 0; i < indices.length; i++) {
      intended[i] = from.intendedNanos(indices[i]);
      proxy[i] = from.proxy(indices[i]);
      service[i] = from.serviceNanos(indices[i]);
      tenant[i] = from.tenant(indices[i]);
    }
    return Trace.of(from.proxies(), intended, proxy, service, tenant);
  }
}
