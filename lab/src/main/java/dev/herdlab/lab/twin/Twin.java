package dev.herdlab.lab.twin;

import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.simulator.StudentT;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Future;
import java.util.function.ToDoubleFunction;

/// The twin: the model making its own picks, on the measured trace and with the refresh instants
/// that were really seen, once for each of several coin seeds.
///
/// A measured quantile agrees if it lies in the prediction interval for one more draw from those
/// that the seeds gave, or within 1 % of their mean: `|measured - mean| <= max(t(0.995, m - 1) sd
/// sqrt(1 + 1/m), 1 % of the mean)`. A perfect instrument is called wrong in at most one case in a
/// hundred, for each quantile.
///
/// Requests from before a proxy's switch keep their measured backends; from then on it makes its
/// own picks. So queues and counts are carried over, as the model has them.
///
/// An algorithm that flips no coins has one twin, and agrees if each proxy makes the same picks in
/// the same order. That is exact for those that take turns, whatever the requests' order of
/// arrival. One that reads loads and breaks ties without a coin is judged so too, and will hardly
/// ever agree: a completion some microseconds late changes a pick, and from there on the two go
/// different ways.
///
/// Owner thread: any (no state); the model's runs are on the executor's threads.
final class Twin {
  private static final double CONFIDENCE = 0.995;
  private static final double LEAST_SHARE = 0.01;

  // Far from any seed that a person would write, so that no twin has the coins of a measured run.
  private static final long FIRST_SEED = 0x7477_696E_0000_0000L;

  private Twin() {}

  /// Predicts the sample's quantiles and compares.
  ///
  /// @param coins draws that the measured algorithm made
  /// @param seeds number of runs, 2 or more, if there are any coins
  static CellResult.Twin of(
      Measurement measurement,
      Switches switches,
      Sample sample,
      long coins,
      int seeds,
      ExecutorService executor)
      throws InterruptedException {
    TwinModel model = TwinModel.of(measurement, switches);
    return coins == 0
        ? withoutCoins(measurement, switches, sample, model)
        : withCoins(measurement, sample, model, seeds, executor);
  }

  /// One run of the model: its quantiles, and the share of requests that failed in it.
  ///
  /// Where requests may fail, those that do are others in each run: quantiles are over its own.
  private record Prediction(Quantiles quantiles, double failed) {
    static Prediction of(Measurement measurement, Sample sample, long[] latencies) {
      return measurement.plan().failures().isEmpty()
          ? new Prediction(sample.quantiles(latencies), 0)
          : new Prediction(sample.quantilesOfItsOwn(latencies), sample.failed(latencies));
    }
  }

  private static CellResult.Twin withoutCoins(
      Measurement measurement, Switches switches, Sample sample, TwinModel model) {
    DispatchLog own = new DispatchLog(2 * measurement.trace().size());
    long[] latencies = model.latencies(measurement.plan().seed(), own);
    Prediction prediction = Prediction.of(measurement, sample, latencies);
    Quantiles predicted = prediction.quantiles();
    long different =
        PickSequences.different(
            PickSequences.measured(measurement, switches),
            PickSequences.modelled(measurement, own),
            PickSequences.mayBeCutShort(measurement));
    return new CellResult.Twin(
        1,
        exact(predicted.p50(), different),
        exact(predicted.p95(), different),
        exact(predicted.p99(), different),
        exact(predicted.mean(), different),
        mayFail(measurement)
            ? Optional.of(exact(prediction.failed(), different))
            : Optional.empty());
  }

  private static boolean mayFail(Measurement measurement) {
    return !measurement.plan().failures().isEmpty();
  }

  private static CellResult.Spread exact(double predicted, long different) {
    return new CellResult.Spread(predicted, 0, different == 0);
  }

  private static CellResult.Twin withCoins(
      Measurement measurement, Sample sample, TwinModel model, int seeds, ExecutorService executor)
      throws InterruptedException {
    if (seeds < 2) {
      throw new IllegalArgumentException("seeds: " + seeds + " (expected: 2 or more)");
    }
    List<Callable<Prediction>> runs = new ArrayList<>();
    for (int j = 0; j < seeds; j++) {
      long seed = measurement.plan().seed() + FIRST_SEED + j;
      runs.add(
          () -> Prediction.of(measurement, sample, model.latencies(seed, DispatchListener.NONE)));
    }
    List<Prediction> predictions = new ArrayList<>();
    try {
      for (Future<Prediction> run : executor.invokeAll(runs)) {
        predictions.add(run.get());
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("the model failed", e.getCause());
    }
    List<Quantiles> predicted = predictions.stream().map(Prediction::quantiles).toList();
    double[] failed = predictions.stream().mapToDouble(Prediction::failed).toArray();
    Quantiles measured = sample.quantiles();
    return new CellResult.Twin(
        seeds,
        spread(measured, predicted, Quantiles::p50),
        spread(measured, predicted, Quantiles::p95),
        spread(measured, predicted, Quantiles::p99),
        spread(measured, predicted, Quantiles::mean),
        mayFail(measurement) ? Optional.of(spread(sample.failed(), failed)) : Optional.empty());
  }

  private static CellResult.Spread spread(
      Quantiles measured, List<Quantiles> predicted, ToDoubleFunction<Quantiles> quantile) {
    double[] values = predicted.stream().mapToDouble(quantile).toArray();
    return spread(quantile.applyAsDouble(measured), values);
  }

  /// The rule above, for two values or more.
  static CellResult.Spread spread(double measured, double[] predicted) {
    int m = predicted.length;
    double mean = 0;
    for (double value : predicted) {
      mean += value / m;
    }
    double squares = 0;
    for (double value : predicted) {
      squares += (value - mean) * (value - mean);
    }
    double sd = Math.sqrt(squares / (m - 1));
    double interval = StudentT.quantile(CONFIDENCE, m - 1) * sd * Math.sqrt(1 + 1.0 / m);
    double bound = Math.max(interval, LEAST_SHARE * mean);
    return new CellResult.Spread(mean, sd, Math.abs(measured - mean) <= bound);
  }
}
