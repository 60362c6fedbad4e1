package dev.herdlab.lab.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.AttemptPolicy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AttemptKeysTest {
  private static Experiment load(String... sets) {
    return Experiment.load(Optional.empty(), List.of(sets), Map.of());
  }

  @Test
  void theyAreRead() {
    Experiment read = load("unit=10ms", "retries=2", "retry-budget=20%", "hedge=p95,3,none");

    assertThat(read.cells())
        .extracting(cell -> cell.serving().attempts())
        .containsExactly(
            new AttemptPolicy(
                2, new AttemptPolicy.Budget(0.2), new AttemptPolicy.Hedge.Percentile(95)),
            new AttemptPolicy(
                2, new AttemptPolicy.Budget(0.2), new AttemptPolicy.Hedge.After(30_000_000)),
            new AttemptPolicy(2, new AttemptPolicy.Budget(0.2), AttemptPolicy.Hedge.NEVER));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "retries=-1|retries: -1 (expected: a whole number from 0 to 100)",
        "retries=many|retries: many (expected: a whole number",
        "hedge=p200|hedge: p200 (expected: a percentile from p1 to p99, or units above 0, or none)",
        "hedge=p0|hedge: p0 (expected: a percentile",
        "hedge=0|hedge: 0 (expected: a percentile",
        "hedge=1e9|hedge: 1e9 (expected: none, a percentile, or units that are 1 ns to 20 s long)",
        "retry-budget=20%|retry-budget: 20% (expected: none, or retries of 1 or more)",
        "retry-budget=2|retry-budget: 2 (expected: a share",
        "retry-budget=-5%|retry-budget: -5% (expected: a share"
      })
  void whatCannotBeIsRefusedInOneLine(String set, String message) {
    assertThatThrownBy(() -> load(set))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining(message)
        .hasMessageNotContaining("\n");
  }
}
