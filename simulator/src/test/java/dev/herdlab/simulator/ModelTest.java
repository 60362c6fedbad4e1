package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.Trace;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ModelTest {
  private static final long UNIT = 1_000_000;
  private static final String FIRST = "least-conn(ties=first)";

  private static Model model(int backends, String algorithm, String view) {
    return new Model(
        BackendSet.ofSize(backends),
        Collections.nCopies(backends, 1.0),
        Algorithms.builtIn().parse(algorithm, 1),
        ViewSpec.parse(view, UNIT));
  }

  private static Model nanosModel(int backends, String algorithm, String view) {
    return new Model(
        BackendSet.ofSize(backends),
        Collections.nCopies(backends, 1.0),
        Algorithms.builtIn().parse(algorithm, 1),
        ViewSpec.parse(view, 1));
  }

  private static Trace poisson(long seed, int proxies) {
    return Trace.generate(
        seed,
        20_000,
        proxies,
        ArrivalProcess.parse("poisson", 0.8 * 16, UNIT),
        ServiceLaw.parse("lognormal(mu=-0.36,sigma=0.85)"),
        UNIT);
  }

  private static int[] backends(ModelRun run) {
    return IntStream.range(0, run.size()).map(run::backend).toArray();
  }

  private static long[] latencies(ModelRun run) {
    return LongStream.range(0, run.size()).map(i -> run.latencyNanos((int) i)).toArray();
  }

  @Test
  void requestsOfOneBackendQueue() {
    Trace trace = Trace.of(1, new long[] {0, 3, 50}, new int[3], new long[] {10, 10, 10});

    assertThat(latencies(nanosModel(1, "random", "local").run(trace, 0)))
        .containsExactly(10, 17, 10);
  }

  @Test
  void aFasterBackendTakesLess() {
    Model model =
        new Model(
            BackendSet.ofSize(2),
            List.of(1.0, 4.0),
            Algorithms.builtIn().parse("round-robin", 1),
            new ViewSpec.Local());
    Trace trace = Trace.of(1, new long[] {0, 0}, new int[2], new long[] {20, 20});

    assertThat(latencies(model.run(trace, 0))).containsExactly(20, 5);
  }

  @Test
  void aCompletionComesBeforeAnArrivalOfTheSameInstant() {
    // At 2 backend 1 is done; with it still counted both would have one, and the first would be
    // picked.
    Trace trace = Trace.of(1, new long[] {0, 1, 2}, new int[3], new long[] {10, 1, 1});

    ModelRun run = nanosModel(2, FIRST, "local").run(trace, 0);

    assertThat(backends(run)).containsExactly(0, 1, 1);
    assertThat(latencies(run)).containsExactly(10, 1, 1);
  }

  @Test
  void aCopyComesAfterCompletionsAndBeforeArrivalsOfTheSameInstant() {
    // Copies: at 5 (1, 0); at 10, when backend 1 is done, (1, 0), not (1, 1); at 15 (1, 1), not (1,
    // 0).
    Trace trace = Trace.of(1, new long[] {0, 6, 10, 15}, new int[4], new long[] {30, 4, 100, 1});

    ModelRun run = nanosModel(2, FIRST, "shared-stale(refresh=5)").run(trace, 0);

    assertThat(backends(run)).containsExactly(0, 1, 1, 0);
  }

  @Test
  void aLocalViewSeesItsOwnProxyAloneAndASharedOneAll() {
    Trace trace = Trace.of(2, new long[] {0, 1}, new int[] {0, 1}, new long[] {10, 10});

    assertThat(backends(nanosModel(2, FIRST, "local").run(trace, 0))).containsExactly(0, 0);
    assertThat(backends(nanosModel(2, FIRST, "shared").run(trace, 0))).containsExactly(0, 1);
  }

  @Test
  void ownPicksAreAddedToTheCopyWhenAsked() {
    Trace trace = Trace.of(1, new long[] {0, 1}, new int[2], new long[] {10, 10});

    assertThat(backends(nanosModel(2, FIRST, "shared-stale(refresh=5)").run(trace, 0)))
        .containsExactly(0, 0);
    assertThat(backends(nanosModel(2, FIRST, "shared-stale(refresh=5,own=true)").run(trace, 0)))
        .containsExactly(0, 1);
  }

  /// The literal numbers pin what a seed gives, on every machine and JDK: a change of any draw, tie
  /// or rounding shows here.
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "round-robin | local | 4239924248",
        "random | local | 1318157163",
        "least-conn | local | 2136782511",
        "p2c(draws=distinct) | shared | 3351173509",
        "least-conn | shared-stale(refresh=2,phase=random) | 464427583",
        "p2c | shared-stale(refresh=0.5,own=true) | 2467076694"
      })
  void sameSeedGivesTheSameBytes(String algorithm, String view, long checksum) {
    Trace trace = poisson(42, 4);

    ModelRun run = model(16, algorithm, view).run(trace, 42);

    assertThat(checksum(run)).isEqualTo(checksum(model(16, algorithm, view).run(trace, 42)));
    assertThat(checksum(run)).isEqualTo(checksum);
  }

  private static long checksum(ModelRun run) {
    ByteBuffer bytes = ByteBuffer.allocate(run.size() * (Long.BYTES + Integer.BYTES));
    for (int i = 0; i < run.size(); i++) {
      bytes.putLong(run.latencyNanos(i)).putInt(run.backend(i));
    }
    CRC32 crc = new CRC32();
    crc.update(bytes.array());
    return crc.getValue();
  }

  @Test
  void anotherSeedFlipsOtherCoinsOnTheSameTrace() {
    Trace trace = poisson(42, 4);
    Model p2c = model(16, "p2c", "local");

    assertThat(backends(p2c.run(trace, 1))).isNotEqualTo(backends(p2c.run(trace, 2)));
    Model roundRobin = model(16, "round-robin", "local");
    assertThat(backends(roundRobin.run(trace, 1))).isEqualTo(backends(roundRobin.run(trace, 2)));
  }

  @Test
  void recordedRefreshesOfARunGiveThatRunAgain() {
    Trace trace = poisson(5, 4);
    Model model = model(16, "least-conn", "shared-stale(refresh=2,phase=random)");
    DispatchLog log = new DispatchLog(1000);
    Refreshes ideal =
        Refreshes.ideal(ViewSpec.parse("shared-stale(refresh=2,phase=random)", UNIT), 5, 4);

    ModelRun first = model.run(trace, 5, ideal, log);
    ModelRun again = model.run(trace, 5, Refreshes.recorded(log), DispatchListener.NONE);

    assertThat(latencies(again)).isEqualTo(latencies(first));
    // Without its copies a view stays at zero, and picks are other ones.
    ModelRun blind = model.run(trace, 5, Refreshes.none(), DispatchListener.NONE);
    assertThat(latencies(blind)).isNotEqualTo(latencies(first));
  }

  @Test
  void everyRequestIsPickedForAndCompletedOnce() {
    Trace trace = poisson(6, 3);
    DispatchLog log = new DispatchLog(1000);
    List<DispatchLog.Kind> seen = new ArrayList<>();

    model(16, "p2c", "local").run(trace, 6, Refreshes.none(), log);
    log.forEach((kind, proxy, value, argument, nanos) -> seen.add(kind));

    assertThat(Collections.frequency(seen, DispatchLog.Kind.PICK)).isEqualTo(trace.size());
    assertThat(Collections.frequency(seen, DispatchLog.Kind.SUCCESS)).isEqualTo(trace.size());
  }

  @Test
  void anEmptyTraceGivesNothing() {
    Trace none = Trace.of(1, new long[0], new int[0], new long[0]);

    ModelRun run = nanosModel(2, "p2c", "local").run(none, 0);

    assertThat(run.size()).isZero();
    assertThatThrownBy(() -> run.quantiles(0, 1)).hasMessageContaining("latencies: none");
  }

  @Test
  void demandsASpeedForEachBackend() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Model(
                    BackendSet.ofSize(2),
                    List.of(1.0),
                    Algorithms.builtIn().parse("p2c", 1),
                    new ViewSpec.Local()))
        .withMessage("speeds: 1 (expected: 2, one for each backend)");
  }
}
