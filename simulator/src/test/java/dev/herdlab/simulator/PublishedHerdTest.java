package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.herdlab.balancer.Algorithms;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.Test;

class PublishedHerdTest {
  private static PublishedHerd.Cell cell(GoldenCells.Cell golden) {
    return new PublishedHerd.Cell(
        Algorithms.builtIn().parse(golden.text("algorithm"), 1),
        golden.whole("proxies"),
        golden.whole("backends"),
        golden.number("rho"),
        golden.whole("requests"),
        golden.whole("warmup"),
        golden.whole("seed"));
  }

  @Test
  void givesTheDigitsOfThePublishedProgramInAllSixtyRuns() {
    List<GoldenCells.Cell> golden = GoldenCells.read("herd.json");
    assertThat(golden).hasSize(60);

    List<PublishedHerd.Result> results =
        Parallel.map(
            golden.stream().map(PublishedHerdTest::cell).toList(),
            PublishedHerd::run,
            Progress.NONE);

    SoftAssertions soft = new SoftAssertions();
    List<String> otherDigits = new ArrayList<>();
    for (int i = 0; i < golden.size(); i++) {
      GoldenCells.Cell row = golden.get(i);
      Quantiles latency = results.get(i).latency();
      double[] ours = {latency.p50(), latency.p95(), latency.p99()};
      String[] keys = {"p50", "p95", "p99"};
      for (int q = 0; q < keys.length; q++) {
        double published = row.number(keys[q]);
        soft.assertThat(Math.abs(ours[q] / published - 1))
            .as("%s of %s: %s", keys[q], row.values(), ours[q])
            .isLessThanOrEqualTo(1e-9);
        if (!Double.toString(ours[q]).equals(row.text(keys[q]))) {
          otherDigits.add(keys[q] + " of " + row.values() + ": " + ours[q]);
        }
      }
    }
    soft.assertThat(otherDigits).isEmpty();
    soft.assertAll();
  }

  /// With one pick after another on equal backends no backend can be picked twice in a short
  /// interval.
  @Test
  void herdingOfOneRoundRobinIsFarBelowRandom() {
    PublishedHerd.Result result =
        PublishedHerd.run(
            new PublishedHerd.Cell(
                Algorithms.builtIn().parse("round-robin", 1), 1, 16, 0.8, 20_000, 0, 0));

    assertThat(result.herding().index()).isLessThan(0.6 * result.herding().underRandom());
  }

  @Test
  void refusesACellWithoutMeasuredRequests() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new PublishedHerd.Cell(
                    Algorithms.builtIn().parse("p2c", 1), 1, 16, 0.8, 100, 100, 0))
        .withMessageContaining("requests 100, warmup 100");
  }
}
