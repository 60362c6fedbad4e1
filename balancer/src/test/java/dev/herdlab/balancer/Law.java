package dev.herdlab.balancer;

import java.util.Arrays;
import java.util.function.IntSupplier;
import org.assertj.core.data.Offset;

/// What an algorithm picks when a view says given loads: exact laws over all its coins, and a bound
/// for laws that can only be sampled.
public final class Law {
  /// Probabilities add up from a few thousand terms of about 1e-16 relative error each.
  public static final Offset<Double> EXACT = Offset.offset(1e-12);

  /// One-sided normal quantile for a false alarm in 10^6.
  private static final double Z = 4.753;

  private Law() {}

  /// Probability of each index as the first pick of `spec`, on backends with these loads.
  public static double[] ofFirstPick(String spec, int... loads) {
    double[] law = new double[loads.length];
    EveryOutcome.law(coins -> firstPick(spec, coins, loads)).forEach((i, p) -> law[i] = p);
    return law;
  }

  private static int firstPick(String spec, Ports.RandomSource coins, int... loads) {
    LoadBalancer balancer =
        Algorithms.builtIn()
            .parse(spec, 1_000_000)
            .create(BackendSet.ofSize(loads.length), index -> loads[index], OneProxy.ports(coins));
    return ((Picked) balancer.pick(PickContext.PLAIN)).index();
  }

  /// Runs `visitor` once for every vector of loads from 0 to `max`, written into `loads`.
  public static void forEveryLoad(int[] loads, int max, Runnable visitor) {
    int courses = Math.powExact(max + 1, loads.length);
    for (int course = 0; course < courses; course++) {
      int rest = course;
      for (int i = 0; i < loads.length; i++) {
        loads[i] = rest % (max + 1);
        rest /= max + 1;
      }
      visitor.run();
    }
  }

  /// Pearson's statistic of `counts` against equal probabilities.
  public static double chiSquare(long... counts) {
    double[] law = new double[counts.length];
    Arrays.fill(law, 1.0 / counts.length);
    return chiSquare(counts, law);
  }

  /// Pearson's statistic of `counts` against `law`, which adds up to 1.
  public static double chiSquare(long[] counts, double[] law) {
    double total = 0;
    for (long count : counts) {
      total += count;
    }
    double sum = 0;
    for (int i = 0; i < counts.length; i++) {
      double expected = law[i] * total;
      sum += (counts[i] - expected) * (counts[i] - expected) / expected;
    }
    return sum;
  }

  /// What Pearson's statistic over `cells` exceeds once in 10^6 samples, by the approximation of
  /// Wilson and Hilferty (1931): the cube root of chi-square over its degrees of freedom is normal.
  public static double chiSquareBound(int cells) {
    double freedom = cells - 1;
    double spread = 2 / (9 * freedom);
    return freedom * Math.pow(1 - spread + Z * Math.sqrt(spread), 3);
  }

  /// Counts of the values below `cells` in `draws` draws.
  public static long[] tally(int cells, int draws, IntSupplier draw) {
    long[] counts = new long[cells];
    for (int i = 0; i < draws; i++) {
      counts[draw.getAsInt()]++;
    }
    return counts;
  }
}
