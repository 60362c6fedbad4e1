package dev.herdlab.lab.conduct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.Experiment;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class RecordRoomTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "p2c                 | local    | 4",
        "least-conn          | reported | 8",
        "client-weighted     | local    | 8",
        "join-idle-queue     | local    | 5",
        "sticky              | local    | 5",
        "prequal             | local    | 10",
        "prequal(probes=1.5) | local    | 8"
      })
  void thereIsRoomForWhatTheAlgorithmHears(String algorithm, String view, int events) {
    Experiment experiment =
        Experiment.load(
            Optional.empty(), List.of("algorithm=" + algorithm, "view=" + view), Map.of());

    Cell cell = Cell.of(experiment.cells().getFirst(), experiment.algorithms());

    assertThat(RecordRoom.eventsPerRequest(cell)).isEqualTo(events);
  }
}
