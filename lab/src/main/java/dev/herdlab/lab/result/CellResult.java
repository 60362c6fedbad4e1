package dev.herdlab.lab.result;

import dev.herdlab.balancer.AttemptCounts;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.simulator.LongRun;
import dev.herdlab.simulator.Quantiles;
import dev.herdlab.simulator.Stability;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What one cell gave: measured on sockets, replayed and predicted, explained and judged. Latencies
/// in units.
///
/// Owner thread: any (immutable).
///
/// @param plan what was run
/// @param utilisation work that arrived over capacity, from the trace itself
/// @param traceSha256 of the requests as planned: equal where they were the same, for the model too
/// @param comparison numbers of the last attempt that came to its end; empty when none did, or only
///     the model ran
/// @param model the model's own long run; empty when it was not asked for
/// @param tried every attempt in order, the last included; empty when only the model ran
public record CellResult(
    CellPlan plan,
    double utilisation,
    String traceSha256,
    Optional<Comparison> comparison,
    Optional<LongModel> model,
    List<Attempt> tried) {
  public CellResult {
    tried = List.copyOf(tried);
  }

  /// Whether the cell may be trusted; empty when only the model ran.
  public Optional<Verdict> verdict() {
    return comparison
        .map(Comparison::verdict)
        .or(() -> tried.isEmpty() ? Optional.empty() : Optional.of(tried.getLast().verdict()));
  }

  /// Whether some backend is sent more work than it can do: the cell has no steady state then, its
  /// latencies would only tell how long the run was, and it has no quantiles.
  public boolean isUnstable() {
    return comparison.map(it -> !it.stability().settles()).orElse(false)
        || model.map(it -> !it.stability().settles()).orElse(false);
  }

  /// The same without quantiles if it is unstable.
  public CellResult settled() {
    return isUnstable()
        ? new CellResult(
            plan,
            utilisation,
            traceSha256,
            comparison.map(Comparison::withoutQuantiles),
            model.map(LongModel::withoutQuantiles),
            tried.stream().map(it -> new Attempt(Quantiles.NONE, it.verdict())).toList())
        : this;
  }

  /// One attempt to measure the cell.
  ///
  /// @param measured NaN where the attempt broke off
  public record Attempt(Quantiles measured, Verdict verdict) {
    /// One that came to no end, e.g. since a process died: why, in one line.
    public static Attempt broken(String reason) {
      return new Attempt(Quantiles.NONE, new Verdict(List.of("The attempt broke off: " + reason)));
    }
  }

  /// Measured beside model, on the same trace.
  ///
  /// @param measured on sockets, from the intended instants
  /// @param replay the model with the measured backends, in the order of intended instants
  /// @param replaySent the same from the instants of the actual sends
  /// @param excess measured minus replayed, request by request
  /// @param twin the model making its own picks, over several coin seeds
  /// @param audit the recorded events through a fresh balancer
  /// @param budget the parts of the measured latency, in order; their means add up to the mean
  /// @param instrument what the run showed of the instrument itself
  /// @param accounting every request sent, by how it ended
  /// @param herding the largest share of picks within a refresh interval
  /// @param verdict whether the attempt may be trusted
  /// @param stability whether the backends kept up with what they were sent, by the replay
  public record Comparison(
      Quantiles measured,
      Quantiles replay,
      Quantiles replaySent,
      Excess excess,
      Twin twin,
      Audit audit,
      Map<String, Part> budget,
      Instrument instrument,
      Accounting accounting,
      Herding herding,
      Verdict verdict,
      Stability stability) {
    /// Without a word about stability.
    public Comparison(
        Quantiles measured,
        Quantiles replay,
        Quantiles replaySent,
        Excess excess,
        Twin twin,
        Audit audit,
        Map<String, Part> budget,
        Instrument instrument,
        Accounting accounting,
        Herding herding,
        Verdict verdict) {
      this(
          measured,
          replay,
          replaySent,
          excess,
          twin,
          audit,
          budget,
          instrument,
          accounting,
          herding,
          verdict,
          Stability.UNKNOWN);
    }

    /// False if no request after the warm-up gave a latency, or the cell is unstable: quantiles are
    /// NaN then.
    public boolean hasSample() {
      return !Double.isNaN(measured.p50());
    }

    private Comparison withoutQuantiles() {
      return new Comparison(
          Quantiles.NONE,
          Quantiles.NONE,
          Quantiles.NONE,
          excess,
          twin.withoutQuantiles(),
          audit,
          budget,
          instrument,
          accounting,
          herding,
          verdict,
          stability);
    }
  }

  /// Per request, measured minus replayed.
  ///
  /// @param p50 median, in units
  /// @param p99 in units
  /// @param negative how many requests were faster than their replay
  public record Excess(double p50, double p99, int negative) {}

  /// Mean and sample standard deviation over the coin seeds, and whether the measured value agrees.
  public record Spread(double mean, double sd, boolean agrees) {
    private Spread withoutMean() {
      return new Spread(Double.NaN, Double.NaN, agrees);
    }
  }

  /// The twin's spread at each quantile.
  ///
  /// @param seeds number of coin seeds (1 for an algorithm without coins)
  /// @param failed share of the requests after the warm-up that failed; empty where none may
  public record Twin(
      int seeds, Spread p50, Spread p95, Spread p99, Spread mean, Optional<Spread> failed) {
    /// Of requests that may not fail.
    public Twin(int seeds, Spread p50, Spread p95, Spread p99, Spread mean) {
      this(seeds, p50, p95, p99, mean, Optional.empty());
    }

    /// False for an algorithm without coins: whether it agrees is told by its picks alone then, and
    /// is the same at each quantile.
    public boolean hasCoins() {
      return seeds > 1;
    }

    private Twin withoutQuantiles() {
      return new Twin(
          seeds, p50.withoutMean(), p95.withoutMean(), p99.withoutMean(), mean.withoutMean());
    }

    /// True if p50, p95 and p99 agree.
    public boolean agrees() {
      return p50.agrees() && p95.agrees() && p99.agrees();
    }
  }

  /// The pick audit.
  public record Audit(long picks, long different) {}

  /// One part of the error budget, in units.
  public record Part(double mean, double p50, double p99) {}

  /// The instrument's own figures. Times in seconds.
  ///
  /// @param sendLagP99 actual minus intended send
  /// @param latenessP99 actual minus ideal completion at the backends
  /// @param longestStall the longest that a thread that only watches the clock lost it
  /// @param othersCores CPU taken by other processes, in cores
  /// @param ownCores CPU taken by this one
  /// @param gcPause the collector's pauses, summed
  /// @param achievedRate sent over planned rate
  /// @param scheduling `default` or `real-time`
  /// @param connectionsOpened connections that the generator had to open while the clock ran
  public record Instrument(
      double sendLagP99,
      double latenessP99,
      double longestStall,
      double othersCores,
      double ownCores,
      double gcPause,
      double achievedRate,
      String scheduling,
      int connectionsOpened) {}

  /// Where every request went: sent = completed + sum of the failed.
  ///
  /// @param attempts how many they took; nothing where each has one
  public record Accounting(
      long sent, long completed, Map<String, Long> failed, AttemptCounts attempts) {
    /// One attempt each.
    public Accounting(long sent, long completed, Map<String, Long> failed) {
      this(sent, completed, failed, AttemptCounts.NONE);
    }
  }

  /// The herding index.
  ///
  /// @param index the largest share of one interval's picks that one backend got
  /// @param underRandom its expectation under random picks
  /// @param shares of all picks after the warm-up, by backend; empty where they are not known
  public record Herding(double index, double underRandom, List<Double> shares) {
    public Herding {
      shares = List.copyOf(shares);
    }

    /// Without the shares.
    public Herding(double index, double underRandom) {
      this(index, underRandom, List.of());
    }
  }

  /// Whether a run may be trusted: valid when there is no reason against it.
  public record Verdict(List<String> reasons) {
    public Verdict {
      reasons = List.copyOf(reasons);
    }

    /// True when nothing speaks against the run.
    public boolean valid() {
      return reasons.isEmpty();
    }
  }

  /// The model's long run: mean over seeds, and half the width of its 95 % confidence interval,
  /// which is NaN for one seed.
  ///
  /// @param requests in each run
  /// @param shares of all picks after the warm-up, by backend; empty where they are not known
  /// @param refused requests that no backend took, in all runs
  /// @param stability whether the backends keep up with what they are sent
  /// @param failed how many requests failed, by why, warm-up included, in all runs
  /// @param attempts how many they took, in all runs; nothing where each has one
  public record LongModel(
      long requests,
      int seeds,
      Quantiles mean,
      Quantiles halfWidth,
      List<Double> shares,
      long refused,
      Stability stability,
      Map<String, Long> failed,
      AttemptCounts attempts) {
    public LongModel {
      shares = List.copyOf(shares);
    }

    /// One attempt each.
    public LongModel(
        long requests,
        int seeds,
        Quantiles mean,
        Quantiles halfWidth,
        List<Double> shares,
        long refused,
        Stability stability,
        Map<String, Long> failed) {
      this(
          requests, seeds, mean, halfWidth, shares, refused, stability, failed, AttemptCounts.NONE);
    }

    /// Without the shares, and none failed.
    public LongModel(long requests, int seeds, Quantiles mean, Quantiles halfWidth) {
      this(requests, seeds, mean, halfWidth, List.of(), 0, Stability.UNKNOWN, Map.of());
    }

    /// False if the cell is unstable, or all requests failed: quantiles are NaN then.
    public boolean hasSample() {
      return !Double.isNaN(mean.p50());
    }

    /// Requests that failed, in all runs.
    public long errors() {
      return failed.values().stream().mapToLong(Long::longValue).sum();
    }

    private LongModel withoutQuantiles() {
      return new LongModel(
          requests,
          seeds,
          Quantiles.NONE,
          Quantiles.NONE,
          shares,
          refused,
          stability,
          failed,
          attempts);
    }

    /// Of runs of the model.
    public static LongModel of(LongRun run) {
      return new LongModel(
          run.requests(),
          run.seeds(),
          run.mean(),
          run.halfWidth(),
          run.shares(),
          run.refused(),
          run.stability(),
          run.failed(),
          run.attempts());
    }
  }
}
