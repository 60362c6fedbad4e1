package dev.herdlab.simulator;

import dev.herdlab.balancer.AttemptCounts;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;

/// The model run many times, each time with its own seed for workload and coins: the mean of each
/// quantile, and how far the truth may be from it. Latencies in units.
///
/// The half-widths are of 95 % confidence intervals by Student's t over the independent runs:
/// t(0.975, m - 1) sd / sqrt(m) for m seeds. With one seed there is none, and they are NaN.
///
/// Owner thread: any (immutable).
///
/// @param requests in each run, warm-up included
/// @param seeds number of runs
/// @param mean over the runs
/// @param halfWidth of the confidence intervals
/// @param runs each seed's own, in the order of the seeds
/// @param shares of the picks after the warm-up, by backend, over all runs
/// @param refused requests that no backend took, in all runs
/// @param stability whether the pool keeps up: where it does not, quantiles tell nothing
/// @param failed how many requests failed, by why, warm-up included, in all runs
/// @param attempts how many the requests took, warm-up included, in all runs
public record LongRun(
    int requests,
    int seeds,
    Quantiles mean,
    Quantiles halfWidth,
    List<Quantiles> runs,
    List<Double> shares,
    long refused,
    Stability stability,
    SortedMap<String, Long> failed,
    AttemptCounts attempts) {
  private static final double CONFIDENCE = 0.975;

  public LongRun {
    runs = List.copyOf(runs);
    shares = List.copyOf(shares);
    failed = Collections.unmodifiableSortedMap(new TreeMap<>(failed));
  }

  /// What one run gives.
  record One(
      Quantiles latency,
      List<Double> shares,
      long refused,
      Stability stability,
      SortedMap<String, Long> failed,
      AttemptCounts attempts) {
    static One of(Model model, Workload workload, long seed) {
      ModelRun run = model.run(workload.trace(seed), seed);
      return new One(
          run.quantiles(workload.warmup(), workload.unitNanos()),
          run.shares(workload.warmup()),
          run.refused(),
          model.stability(run, workload.warmup(), workload.unitNanos()),
          run.failed(),
          run.attempts());
    }
  }

  /// Runs the model once for each of `seeds`, on all cores. Cost: about 0.3 us a request and core.
  public static LongRun of(Model model, Workload workload, List<Long> seeds, Progress progress) {
    return of(
        workload.requests(), Parallel.map(seeds, seed -> One.of(model, workload, seed), progress));
  }

  /// The same on the calling thread alone, for a lab that is measuring meanwhile.
  public static LongRun sequential(Model model, Workload workload, List<Long> seeds) {
    return of(
        workload.requests(), seeds.stream().map(seed -> One.of(model, workload, seed)).toList());
  }

  /// Of runs done already, one or more.
  static LongRun of(int requests, List<One> all) {
    if (all.isEmpty()) {
      throw new IllegalArgumentException("seeds: none (expected: at least one)");
    }
    List<Quantiles> runs = all.stream().map(One::latency).toList();
    return new LongRun(
        requests,
        runs.size(),
        each(runs, LongRun::mean),
        each(runs, LongRun::halfWidth),
        runs,
        shares(all),
        all.stream().mapToLong(One::refused).sum(),
        Stability.of(all.stream().map(One::stability).toList()),
        failed(all),
        all.stream().map(One::attempts).reduce(AttemptCounts.NONE, AttemptCounts::plus));
  }

  private static SortedMap<String, Long> failed(List<One> all) {
    SortedMap<String, Long> failed = new TreeMap<>();
    all.forEach(
        one -> one.failed().forEach((label, count) -> failed.merge(label, count, Long::sum)));
    return failed;
  }

  private static List<Double> shares(List<One> all) {
    double[] mean = new double[all.getFirst().shares().size()];
    for (One one : all) {
      for (int i = 0; i < mean.length; i++) {
        mean[i] += one.shares().get(i) / all.size();
      }
    }
    return Arrays.stream(mean).boxed().toList();
  }

  private static Quantiles each(List<Quantiles> runs, ToDoubleFunction<double[]> statistic) {
    return new Quantiles(
        statistic.applyAsDouble(runs.stream().mapToDouble(Quantiles::p50).toArray()),
        statistic.applyAsDouble(runs.stream().mapToDouble(Quantiles::p95).toArray()),
        statistic.applyAsDouble(runs.stream().mapToDouble(Quantiles::p99).toArray()),
        statistic.applyAsDouble(runs.stream().mapToDouble(Quantiles::mean).toArray()));
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static double halfWidth(double[] values) {
    if (values.length < 2) {
      return Double.NaN;
    }
    double mean = mean(values);
    double squares = 0;
    for (double value : values) {
      squares += (value - mean) * (value - mean);
    }
    double deviation = StrictMath.sqrt(squares / (values.length - 1));
    return StudentT.quantile(CONFIDENCE, values.length - 1)
        * deviation
        / StrictMath.sqrt(values.length);
  }
}
