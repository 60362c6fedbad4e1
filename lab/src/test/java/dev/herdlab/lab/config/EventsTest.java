package dev.herdlab.lab.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.simulator.Change;
import dev.herdlab.workload.BackendFault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The key `events`: 1000 requests at rho 1 of 4 backends take 250 units of 10 ms.
class EventsTest {
  private static final long UNIT = 10_000_000;
  private static final List<String> PLAIN = List.of("backends=4", "rho=1", "requests=1000");

  @TempDir Path folder;

  private Experiment load(String yaml) throws IOException {
    Path file = Files.writeString(folder.resolve("x.yaml"), yaml);
    return Experiment.load(Optional.of(file), PLAIN, Map.of());
  }

  private static Experiment set(String... sets) {
    List<String> all = new ArrayList<>(PLAIN);
    all.addAll(Arrays.asList(sets));
    return Experiment.load(Optional.empty(), all, Map.of());
  }

  private static List<Change.Timed> changes(Experiment experiment) {
    return experiment.cells().getFirst().changes();
  }

  private static Change.Timed at(double units, Change change) {
    return new Change.Timed(Math.round(units * UNIT), change);
  }

  @Test
  void mapsInAFileAndTextsOnTheCommandLineAreTheSame() throws IOException {
    Experiment file =
        load(
            """
            events:
              - {at: 100, backend: b3, fault: hang}
              - {at: 120.5, backend: b3, fault: none}
              - at: 130
                backend: b2
                fault: status=503
              - {at: 0, backend: b1, member: leave}
              - {at: 200, backend: b1, member: join}
              - {at: 7, backend: b0, speed: 0.5}
              - {at: 8, backend: b0, weight: 2}
              - {at: 9, proxies: restart}
            """);

    assertThat(changes(file))
        .containsExactly(
            at(0, new Change.Leave(1)),
            at(7, new Change.Speed(0, 0.5)),
            at(8, new Change.Weight(0, 2)),
            at(9, new Change.Restart()),
            at(100, new Change.Fault(3, BackendFault.HANG)),
            at(120.5, new Change.Fault(3, BackendFault.NONE)),
            at(130, new Change.Fault(2, BackendFault.parse("status=503"))),
            at(200, new Change.Join(1)));
    assertThat(
            changes(
                set(
                    "events=at=100 backend=b3 fault=hang,at=120.5 backend=b3 fault=none,"
                        + "at=130 backend=b2 fault=status=503,at=0 backend=b1 member=leave,"
                        + "at=200 backend=b1 member=join,at=7 backend=b0 speed=0.5,"
                        + "at=8 backend=b0 weight=2,at=9 proxies=restart")))
        .isEqualTo(changes(file));
  }

  @Test
  void oneMapIsAListOfOneAndNoneIsNone() throws IOException {
    assertThat(changes(load("events: {at: 1, proxies: restart}"))).hasSize(1);
    assertThat(changes(load("events: none"))).isEmpty();
    assertThat(changes(set())).isEmpty();
  }

  /// Until 20 % after the planned end, and once more, so that what begins has an end.
  @Test
  void everyRepeats() {
    List<Change.Timed> changes =
        changes(
            set(
                "events=at=50 every=100 backend=b1 fault=hang,at=60 every=100 backend=b1 fault=none"));

    assertThat(changes.stream().map(Change.Timed::nanos))
        .startsWith(50 * UNIT, 60 * UNIT, 150 * UNIT, 160 * UNIT, 250 * UNIT, 260 * UNIT)
        .allMatch(nanos -> nanos <= 400 * UNIT);
    assertThat(changes.getLast()).isEqualTo(at(360, new Change.Fault(1, BackendFault.NONE)));
  }

  @Test
  void whatIsWrittenLoadsAsTheSame() throws IOException {
    Experiment experiment =
        load(
            """
            cells:
              - events: {at: 1, backend: b0, fault: close, every: 40}
              - events: none
                algorithm: p2c
            """);

    Path again = Files.writeString(folder.resolve("again.yaml"), experiment.toYaml());

    Experiment loaded = Experiment.load(Optional.of(again), List.of(), Map.of());
    assertThat(loaded.cells()).isEqualTo(experiment.cells());
    assertThat(loaded.cells().getFirst().events().texts())
        .containsExactly("at=1 backend=b0 fault=close every=40");
  }

  @Test
  void theModelOfACellHasThem() {
    Experiment experiment = set("events=at=0 backend=b2 member=leave", "algorithm=round-robin");
    Cell cell = Cell.of(experiment.cells().getFirst(), Algorithms.builtIn());

    assertThat(cell.model().run(cell.trace(), 0).shares(0).get(2)).isZero();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          at=250 backend=b1 fault=close | at below 250.000 units, which is how long the requests take
          at=1 backend=b4 fault=close | a backend from b0 to b3
          at=1 backend=x fault=close | backend=b0, b1, ...
          at=1 backend=b1 fault=slow | none, refuse, hang, close or status=500 to 599
          at=1 backend=b1 fault=status=404 | none, refuse, hang, close or status=500 to 599
          at=1 backend=b1 speed=0 | 1e-6 to 1e6
          at=1 backend=b1 speed=-1 | 1e-6 to 1e6
          at=1 backend=b1 speed=fast | 1e-6 to 1e6
          at=1 backend=b1 weight=0 | a whole number, 1 to 65535
          at=1 backend=b1 weight=1.5 | a whole number, 1 to 65535
          at=1 backend=b1 member=go | member=leave or member=join
          at=1 backend=b1 proxies=restart | proxies=restart, of all proxies, without a backend
          at=1 proxies=stop | proxies=restart, of all proxies, without a backend
          at=-1 proxies=restart | at=UNITS, 0 or more, from the trace's start
          proxies=restart | at=UNITS, 0 or more, from the trace's start
          at=1 every=0 proxies=restart | every=UNITS, above 0
          at=1 at=2 proxies=restart | once
          at=1 backend=b1 | one of fault, speed, weight, member, proxies
          at=1 backend=b1 speed=2 fault=none | one of fault, speed, weight, member, proxies
          at=1 backend=b1 colour=red | a field such as at=100: one of at, every, backend,
          at=1 backend=b1 member=join | b1 to have left before it joins
          at=1 backend=b1 fault=hang | a timeout, or another fault of b1 within 20 s, such as none
          at=1 every=0.001 proxies=restart | at most 10000 events with their repetitions
          """)
  void whatDoesNotFitIsRefusedInOneLine(String event, String expected) {
    assertThatThrownBy(() -> set("events=" + event))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("--set events: ")
        .hasMessageContaining(event.substring(0, 5).strip())
        .hasMessageContaining("(expected: " + expected)
        .message()
        .hasLineCount(1);
  }

  @Test
  void eventsThatContradictEachOtherAreRefused() {
    assertThatThrownBy(
            () -> set("events=at=1 backend=b1 member=leave,at=9 backend=b1 member=leave"))
        .hasMessageContaining("b1 to be there when it leaves");
    assertThatThrownBy(
            () ->
                set(
                    "backends=2",
                    "requests=500",
                    "events=at=1 backend=b0 member=leave,at=9 backend=b1 member=leave"))
        .hasMessageContaining("one backend at least that stays");
    assertThat(set("timeout=20", "events=at=1 backend=b1 fault=hang").cells()).hasSize(1);
  }

  @Test
  void anAlgorithmMustFitEverySetThatThereWillBe() {
    Experiment experiment =
        set("events=at=1 backend=b1 member=leave", "algorithm=shuffle-sharding(size=4)");

    assertThatThrownBy(() -> Cell.of(experiment.cells().getFirst(), Algorithms.builtIn()))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("with 3 backends");
  }

  /// What faults bring says nothing against a run; what they do not, does.
  @Test
  void theFailuresThatAreAskedFor() {
    assertThat(set("events=at=1 backend=b1 fault=refuse").cells().getFirst().failures())
        .containsExactly("backend-closed", "connect-failed");
    assertThat(set("events=at=1 backend=b1 fault=status=500").cells().getFirst().failures())
        .containsExactly("client-status", "error-status");
    assertThat(set("events=at=1 backend=b1 speed=2").cells().getFirst().failures()).isEmpty();
  }
}
