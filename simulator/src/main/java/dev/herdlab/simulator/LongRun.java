package dev.herdlab.simulator;

import java.util.List;
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
public record LongRun(
    int requests, int seeds, Quantiles mean, Quantiles halfWidth, List<Quantiles> runs) {
  private static final double CONFIDENCE = 0.975;

  public LongRun {
    runs = List.copyOf(runs);
  }

  /// Runs the model once for each of `seeds`, on all cores. Cost: about 0.3 us a request and core.
  public static LongRun of(Model model, Workload workload, List<Long> seeds, Progress progress) {
    List<Quantiles> runs =
        Parallel.map(
            seeds,
            seed ->
                model
                    .run(workload.trace(seed), seed)
                    .quantiles(workload.warmup(), workload.unitNanos()),
            progress);
    return of(workload.requests(), runs);
  }

  /// The same on the calling thread alone, for a lab that is measuring meanwhile.
  public static LongRun sequential(Model model, Workload workload, List<Long> seeds) {
    return of(
        workload.requests(),
        seeds.stream()
            .map(
                seed ->
                    model
                        .run(workload.trace(seed), seed)
                        .quantiles(workload.warmup(), workload.unitNanos()))
            .toList());
  }

  /// Of runs done already, one or more.
  static LongRun of(int requests, List<Quantiles> runs) {
    if (runs.isEmpty()) {
      throw new IllegalArgumentException("seeds: none (expected: at least one)");
    }
    return new LongRun(
        requests, runs.size(), each(runs, LongRun::mean), each(runs, LongRun::halfWidth), runs);
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
