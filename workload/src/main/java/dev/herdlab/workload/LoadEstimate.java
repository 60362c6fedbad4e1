package dev.herdlab.workload;

import java.util.Arrays;

/// What a backend knows of its own load, and says in probe replies and load reports: requests in
/// flight, the latency to expect at such a number, share of time busy, requests and errors a
/// second.
///
/// The latency estimate is Prequal's. A request is tagged with the number that are in flight when
/// it arrives, itself not counted; when it is done, its latency (at the backend, from arrival to
/// finish, waiting included) is kept under its tag. The estimate for a number in flight is the
/// median of the latencies that are kept under that tag, else under the nearest tag that has any,
/// the lower of two. Kept are the last [#SAMPLES] of each tag, and of these only those of the last
/// window count, unless there is none of any tag: then all that are kept do. Tags from [#TAGS] - 1
/// on are one.
///
/// Utilisation and rates are exponentially weighted averages with the window as time constant,
/// divided by the weight of the time since the first arrival, so that they do not start from 0. An
/// instant before the latest one counts as that one.
///
/// The stub and the model share it, so that reports mean the same in both worlds. Cost: one
/// exponential for an arrival, an end or a reading of a rate (about 50 ns); a reading of the
/// latency sorts 16 numbers, and with few samples looks at up to [#TAGS] tags. 17 kB. Owner thread:
/// its backend's.
///
/// Source: Wydrowski, Kleinberg, Rumble and Archer, "Load is not what you should balance:
/// Introducing Prequal", NSDI 2024, section 4 (probe replies).
/// Deviation: the paper leaves window, sample size and what is near open; these are ours.
public final class LoadEstimate {
  /// The window of a program that has no reason for another: that of gRPC's weight updates.
  public static final long WINDOW_NANOS = 1_000_000_000;

  /// Tags that are told apart: longer queues than 62 are rare below saturation.
  static final int TAGS = 64;

  /// Latencies kept of each tag.
  static final int SAMPLES = 16;

  private final double windowNanos;
  // The samples of a tag are at tag * SAMPLES on, as a ring.
  private final long[] latencies = new long[TAGS * SAMPLES];
  private final long[] finishedNanos = new long[TAGS * SAMPLES];
  private final int[] samples = new int[TAGS];
  private final long[] sorted = new long[SAMPLES];
  private int inFlight;
  private boolean started;
  private long lastNanos;
  // Averages as of lastNanos, each to be divided by the weight of the time since the start.
  private double weight;
  private double busy;
  private double perNano;
  private double errorsPerNano;

  /// Nothing known; in flight 0.
  ///
  /// @param windowNanos how long a latency counts, and the time constant of the averages; above 0
  public LoadEstimate(long windowNanos) {
    if (windowNanos <= 0) {
      throw new IllegalArgumentException("window: " + windowNanos + " ns (expected: > 0)");
    }
    this.windowNanos = windowNanos;
  }

  /// A request arrived.
  ///
  /// @return its tag: how many were in flight before it
  public int arrived(long nowNanos) {
    if (!started) {
      started = true;
      lastNanos = nowNanos;
    }
    advance(nowNanos);
    return inFlight++;
  }

  /// A request is done.
  ///
  /// @param tag what [#arrived] returned for it
  /// @param latencyNanos since its arrival, 0 or more
  public void finished(int tag, long latencyNanos, long nowNanos) {
    ended(nowNanos);
    perNano += 1 / windowNanos;
    int kept = Math.min(tag, TAGS - 1);
    int at = kept * SAMPLES + samples[kept]++ % SAMPLES;
    latencies[at] = latencyNanos;
    finishedNanos[at] = lastNanos;
    if (samples[kept] == 2 * SAMPLES) {
      samples[kept] = SAMPLES;
    }
  }

  /// A request failed: it counts for both rates, and its latency says nothing.
  public void failed(long nowNanos) {
    ended(nowNanos);
    perNano += 1 / windowNanos;
    errorsPerNano += 1 / windowNanos;
  }

  /// A request was cancelled: it is no longer in flight, and that is all.
  public void cancelled(long nowNanos) {
    ended(nowNanos);
  }

  private void ended(long nowNanos) {
    if (inFlight == 0) {
      throw new IllegalStateException("the end of a request (expected: one in flight)");
    }
    advance(nowNanos);
    inFlight--;
  }

  private void advance(long nowNanos) {
    long gapNanos = nowNanos - lastNanos;
    if (started && gapNanos > 0) {
      double kept = StrictMath.exp(-gapNanos / windowNanos);
      weight = weight * kept + (1 - kept);
      busy = busy * kept + (inFlight > 0 ? 1 - kept : 0);
      perNano *= kept;
      errorsPerNano *= kept;
      lastNanos = nowNanos;
    }
  }

  /// Requests that arrived and have not ended.
  public int inFlight() {
    return inFlight;
  }

  /// The latency to expect of a request that meets `others` in flight; 0 before the first is done.
  public long latencyNanos(int others, long nowNanos) {
    long sinceNanos = nowNanos - (long) windowNanos;
    long fresh = nearest(Math.min(others, TAGS - 1), sinceNanos);
    return fresh >= 0 ? fresh : Math.max(0, nearest(Math.min(others, TAGS - 1), Long.MIN_VALUE));
  }

  /// The median at the nearest tag with samples not older than `sinceNanos`; -1 if none has any.
  private long nearest(int tag, long sinceNanos) {
    for (int away = 0; away < TAGS; away++) {
      long lower = tag - away < 0 ? -1 : median(tag - away, sinceNanos);
      if (lower >= 0) {
        return lower;
      }
      long upper = away == 0 || tag + away >= TAGS ? -1 : median(tag + away, sinceNanos);
      if (upper >= 0) {
        return upper;
      }
    }
    return -1;
  }

  /// The lower median under one tag; -1 if it has none.
  private long median(int tag, long sinceNanos) {
    int count = 0;
    for (int i = tag * SAMPLES; i < tag * SAMPLES + Math.min(samples[tag], SAMPLES); i++) {
      if (finishedNanos[i] >= sinceNanos) {
        sorted[count++] = latencies[i];
      }
    }
    Arrays.sort(sorted, 0, count);
    return count == 0 ? -1 : sorted[(count - 1) / 2];
  }

  /// Share of the time with a request in flight, 0 to 1; 0 before any time has passed.
  public double utilisation(long nowNanos) {
    advance(nowNanos);
    return weight == 0 ? 0 : Math.min(1, busy / weight);
  }

  /// Requests that end in a second, failed ones included; 0 before any time has passed.
  public double ratePerSecond(long nowNanos) {
    advance(nowNanos);
    return weight == 0 ? 0 : perNano / weight * 1e9;
  }

  /// Requests that fail in a second; 0 before any time has passed.
  public double errorsPerSecond(long nowNanos) {
    advance(nowNanos);
    return weight == 0 ? 0 : errorsPerNano / weight * 1e9;
  }
}
