package dev.herdlab.loadgen;

import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogWriter;

/// The distributions of one run, for tools that read HdrHistogram: latency and send lag in
/// nanoseconds.
///
/// Made from the log after the run, so that recording costs the measured phase nothing. Requests
/// that failed are in neither; nothing is corrected, since latencies count from intended instants
/// already. A result's quantiles come from raw samples, not from here. Owner thread: its user's
/// (the histograms are mutable).
///
/// @param latency from the intended send instant to the last byte
/// @param sendLag actual minus intended send
public record RunHistograms(Histogram latency, Histogram sendLag) {
  /// A value is off by one part in ten thousand at most.
  static final int DIGITS = 4;

  private static final double NANOS_PER_MILLI = 1e6;
  private static final double NANOS_PER_SECOND = 1e9;

  /// The distributions of all requests of `log` that ended well, from number `warmup` on.
  public static RunHistograms of(Trace trace, RunLog log, int warmup) {
    RunHistograms all = empty();
    for (RunLog.Entry entry : log.entries()) {
      if (entry.ok() && entry.request() >= warmup) {
        all.record(trace, entry);
      }
    }
    return all;
  }

  /// Writes an HdrHistogram log: for each interval of the run a histogram with the tag `latency`
  /// and one with `send-lag`. A request belongs to the interval in which it ended; the log's maxima
  /// are in milliseconds.
  ///
  /// @param started wall time of the run's start, which readers show
  /// @param interval length of an interval, above 0
  /// @throws IOException if the file cannot be written
  public static void write(Trace trace, RunLog log, Instant started, Duration interval, Path hlog)
      throws IOException {
    long intervalNanos = interval.toNanos();
    double intervalSeconds = intervalNanos / NANOS_PER_SECOND;
    if (intervalNanos <= 0) {
      throw new IllegalArgumentException("interval: " + interval + " (expected: > 0)");
    }
    List<RunLog.Entry> entries =
        log.entries().stream()
            .filter(RunLog.Entry::ok)
            .sorted(Comparator.comparingLong(RunLog.Entry::doneNanos))
            .toList();
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(hlog), false, StandardCharsets.UTF_8)) {
      HistogramLogWriter writer = new HistogramLogWriter(out);
      writer.outputComment("[Herdlab: latency and send lag of one run, values in nanoseconds]");
      writer.outputLogFormatVersion();
      writer.outputStartTime(started.toEpochMilli());
      writer.setBaseTime(started.toEpochMilli());
      writer.outputLegend();
      for (int from = 0; from < entries.size(); ) {
        long number = entries.get(from).doneNanos() / intervalNanos;
        RunHistograms histograms = empty();
        int to = from;
        while (to < entries.size() && entries.get(to).doneNanos() / intervalNanos == number) {
          histograms.record(trace, entries.get(to++));
        }
        for (Histogram histogram : Arrays.asList(histograms.latency, histograms.sendLag)) {
          writer.outputIntervalHistogram(
              number * intervalSeconds, (number + 1) * intervalSeconds, histogram, NANOS_PER_MILLI);
        }
        from = to;
      }
      if (out.checkError()) {
        throw new IOException(hlog + ": not written in full");
      }
    }
  }

  private static RunHistograms empty() {
    Histogram latency = new Histogram(DIGITS);
    latency.setTag("latency");
    Histogram sendLag = new Histogram(DIGITS);
    sendLag.setTag("send-lag");
    return new RunHistograms(latency, sendLag);
  }

  private void record(Trace trace, RunLog.Entry entry) {
    long intended = trace.intendedNanos(entry.request());
    latency.recordValue(Math.max(0, entry.doneNanos() - intended));
    sendLag.recordValue(Math.max(0, entry.sentNanos() - intended));
  }
}
