package dev.herdlab.lab.report;

import dev.herdlab.loadgen.RunHistograms;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.util.Locale;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/// What a generator on its own saw, as text: latency and send lag in milliseconds, and how each
/// request ended.
///
/// Owner thread: any.
public final class LoadText {
  private static final double NANOS_PER_MILLI = 1e6;

  private LoadText() {}

  /// The text of one run; the first `warmup` requests are not in the latencies.
  public static String of(Trace trace, RunLog run, int warmup) {
    RunHistograms histograms = RunHistograms.of(trace, run, warmup);
    StringBuilder text = new StringBuilder();
    text.append("            p50        p95        p99       mean   (ms)\n");
    line(text, "latency", histograms.latency());
    line(text, "send lag", histograms.sendLag());
    text.append(
        String.format(
            Locale.ROOT,
            "sent %d, completed %d, failed %d",
            run.entries().size(),
            run.entries().size() - failed(run),
            failed(run)));
    TreeMap<String, Integer> causes = new TreeMap<>();
    for (RunLog.Entry entry : run.entries()) {
      if (!entry.ok()) {
        causes.merge(entry.outcome(), 1, Integer::sum);
      }
    }
    return text.append(causes.isEmpty() ? "" : " " + causes).append('\n').toString();
  }

  /// Number of requests that failed.
  public static int failed(RunLog run) {
    return (int) run.entries().stream().filter(entry -> !entry.ok()).count();
  }

  private static void line(StringBuilder text, String name, Histogram histogram) {
    text.append(
        String.format(
            Locale.ROOT,
            "%-8s %8.3f   %8.3f   %8.3f   %8.3f%n",
            name,
            histogram.getValueAtPercentile(50) / NANOS_PER_MILLI,
            histogram.getValueAtPercentile(95) / NANOS_PER_MILLI,
            histogram.getValueAtPercentile(99) / NANOS_PER_MILLI,
            histogram.getMean() / NANOS_PER_MILLI));
  }
}
