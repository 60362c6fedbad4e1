package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.workload.Trace;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// What a live run is made of, each for itself.
final class PartsTest {
  @TempDir private Path folder;

  @Test
  void dispatchLogThatIsCutOffIsAnError() throws IOException {
    DispatchLog log = new DispatchLog(1);
    log.append(DispatchLog.Kind.PICK, 0, 1, 2, 3);
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    DispatchLogFile.write(log, out);
    byte[] bytes = Arrays.copyOf(out.toByteArray(), out.size() - 1);

    assertThatThrownBy(() -> DispatchLogFile.read(new ByteArrayInputStream(bytes)))
        .isInstanceOf(IOException.class);
  }

  private CellPlan plan(int proxies, int backends) throws IOException {
    return Live.cell(folder, "proxies=" + proxies, "backends=" + backends).plan();
  }

  @ParameterizedTest
  @CsvSource({"1, 16, 1024", "16, 16, 20000", "64, 16, 20000", "1, 1, 300", "64, 64, 100000"})
  void connectionsFitTheFileLimit(int proxies, int backends, long limit) throws IOException {
    Sizing sizing = Sizing.of(plan(proxies, backends), limit);

    long sockets =
        2L * proxies * backends * sizing.upstreamLimit()
            + 2L * proxies * sizing.clientLimit()
            + proxies
            + backends;
    assertThat(sockets).isLessThan(limit);
    assertThat(sizing.upstream()).isBetween(1, sizing.upstreamLimit());
    assertThat(sizing.client()).isBetween(1, sizing.clientLimit());
  }

  @Test
  void tooFewFileDescriptorsAreSaidWithWhatIsNeeded() throws IOException {
    CellPlan plan = plan(64, 64);

    assertThatThrownBy(() -> Sizing.of(plan, 4096))
        .isInstanceOf(IOException.class)
        .hasMessage(
            "open files: at most 4096 (expected: 33096 for 64 proxies and 64 backends; see ulimit"
                + " -n)");
    assertThat(Sizing.of(plan, 33_096).upstreamLimit()).isEqualTo(2);
  }

  @Test
  void burnInTakesItsTimeAndNeverOverloads() throws IOException {
    Cell cell = Live.cell(folder, "proxies=4", "rho=1.5");

    List<Trace> traces = BurnIn.traces(cell, 2_000_000_000L);

    assertThat(traces).hasSize(3);
    assertThat(traces.stream().mapToLong(Trace::lastIntendedNanos).sum())
        .isBetween(1_800_000_000L, 2_200_000_000L);
    for (Trace trace : traces) {
      assertThat(trace.proxies()).isEqualTo(4);
      assertThat(cell.utilisation(trace)).isBetween(0.6, 1.0);
    }
    assertThat(traces.get(1).size()).isGreaterThan(4 * traces.get(2).size());
    assertThat(BurnIn.traces(cell, 0)).isEmpty();
  }

  @Test
  void burnInTriesEveryAlgorithmAndViewWithTheMostProxies() throws IOException {
    Experiment experiment =
        Live.experiment(
            folder, "proxies=2,4", "algorithm=p2c,least-conn", "view=local,shared", "seeds=1,2");
    List<Cell> cells =
        experiment.cells().stream().map(plan -> Cell.of(plan, experiment.algorithms())).toList();

    List<BurnIn.Part> parts = BurnIn.parts(cells, 2_000_000_000L);

    assertThat(parts)
        .extracting(part -> part.cell().plan().algorithm() + " " + part.cell().plan().view())
        .containsExactlyInAnyOrder(
            "p2c local", "p2c shared", "least-conn local", "least-conn shared");
    assertThat(parts).allMatch(part -> part.cell().plan().proxies() == 4);
    assertThat(parts).extracting(part -> part.traces().size()).containsExactly(3, 1, 1, 1);
    assertThat(
            parts.stream()
                .flatMap(part -> part.traces().stream())
                .mapToLong(Trace::lastIntendedNanos)
                .sum())
        .isBetween(1_800_000_000L, 2_200_000_000L);
    assertThat(BurnIn.parts(cells, 0)).singleElement().matches(part -> part.traces().isEmpty());
  }

  @Test
  void moreRequestsThanTheHeapHoldsAreRefusedWithWhatIsNeeded() throws IOException {
    CellPlan plan = Live.cell(folder, "requests=2000000", "warmup=0").plan();

    assertThatThrownBy(() -> HeapNeed.check(plan, 384L << 20))
        .isInstanceOf(ConfigException.class)
        .hasMessage(
            "requests: 2000000 (expected: at most 754974 in a heap of 384 MiB, or"
                + " HERDLAB_JAVA_OPTS=-Xmx1090m)");
    HeapNeed.check(plan, 1018L << 20);
  }

  @Test
  void cpuOfThisProcessIsSeenAsItsOwn() {
    CpuMeter meter = CpuMeter.start();
    long until = System.nanoTime() + 200_000_000;
    long spins = 0;
    while (System.nanoTime() < until) {
      spins++;
    }

    CpuMeter.Reading reading = meter.stop(0);

    assertThat(spins).isPositive();
    assertThat(reading.ownCores())
        .isBetween(0.05, 1.0 + Runtime.getRuntime().availableProcessors());
    assertThat(reading.othersCores()).isGreaterThanOrEqualTo(0);
  }

  @Test
  void cpuOfOtherMeasuringProcessesIsCountedAsOwn() {
    CpuMeter meter = CpuMeter.start();
    LockSupport.parkNanos(50_000_000);

    assertThat(meter.stop(1_000_000_000_000L).ownCores()).isGreaterThan(100);
    assertThat(meter.stop(1_000_000_000_000L).othersCores()).isZero();
  }

  @Test
  void hiccupMonitorTellsEachWatchItsOwnLongestStallAndEnds() {
    HiccupMonitor monitor = new HiccupMonitor();
    HiccupMonitor.Watch one = monitor.watch();
    HiccupMonitor.Watch other = monitor.watch();
    monitor.start();
    Running.await("a stall", () -> one.longestNanos() > 0);

    long longest = one.reset();
    monitor.close();

    assertThat(longest).isPositive().isLessThan(60_000_000_000L);
    assertThat(other.longestNanos()).isGreaterThanOrEqualTo(longest);
    Running.await(
        "the end of its thread",
        () ->
            Thread.getAllStackTraces().keySet().stream()
                .noneMatch(thread -> thread.getName().equals("herdlab-hiccup")));
  }

  @Test
  void collectionsAreTimed() {
    GcMeter meter = new GcMeter();

    System.gc();

    assertThat(meter.nanos()).isBetween(0L, 60_000_000_000L);
  }
}
