package dev.herdlab.loadgen;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.RunLog.Entry;
import dev.herdlab.workload.Trace;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.EncodableHistogram;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.HistogramLogReader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunHistogramsTest {
  private static final long SECOND = 1_000_000_000;
  private static final Trace TRACE =
      Trace.of(1, new long[] {0, 1000, 2 * SECOND, 3 * SECOND}, new int[4], new long[4]);
  private static final RunLog LOG =
      new RunLog(
          List.of(
              new Entry(0, 10, 5000, RunLog.OK, List.of()),
              new Entry(1, 1020, 8000, RunLog.OK, List.of()),
              new Entry(2, 2 * SECOND + 30, 2 * SECOND + 9000, RunLog.OK, List.of()),
              new Entry(3, 3 * SECOND, 3 * SECOND + 1, "client-closed", List.of())));

  @Test
  void countsLatencyFromTheIntendedInstant() {
    RunHistograms all = RunHistograms.of(TRACE, LOG, 0);
    assertThat(all.latency().getTotalCount()).isEqualTo(3);
    assertThat(all.latency().getMinValue()).isEqualTo(5000);
    assertThat(all.latency().getMaxValue()).isEqualTo(9000);
    assertThat(all.sendLag().getMinValue()).isEqualTo(10);
    assertThat(all.sendLag().getMaxValue()).isEqualTo(30);
  }

  @Test
  void leavesOutTheWarmup() {
    assertThat(RunHistograms.of(TRACE, LOG, 1).latency().getMinValue()).isEqualTo(7000);
  }

  @Test
  void writesALogThatHdrHistogramReads(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("run.hlog");
    Instant started = Instant.ofEpochSecond(1_700_000_000);
    RunHistograms.write(TRACE, LOG, started, Duration.ofSeconds(1), file);

    List<String> intervals = new ArrayList<>();
    try (HistogramLogReader reader = new HistogramLogReader(file.toFile())) {
      while (reader.hasNext()) {
        EncodableHistogram next = reader.nextIntervalHistogram();
        Histogram histogram = (Histogram) next;
        intervals.add(
            "%s at %d s: %d of at most %d"
                .formatted(
                    histogram.getTag(),
                    histogram.getStartTimeStamp() / 1000 - started.getEpochSecond(),
                    histogram.getTotalCount(),
                    histogram.getMaxValue()));
      }
    }
    assertThat(intervals)
        .containsExactly(
            "latency at 0 s: 2 of at most 7000",
            "send-lag at 0 s: 2 of at most 20",
            "latency at 2 s: 1 of at most 9000",
            "send-lag at 2 s: 1 of at most 30");
  }
}
