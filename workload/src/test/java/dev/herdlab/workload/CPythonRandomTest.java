package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.offset;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CPythonRandomTest {
  /// A line of the golden file, which cpython-golden.py beside it writes.
  private record Draw(String seed, String name, String argument, String value) {}

  private static Map<String, List<Draw>> golden() {
    var stream = CPythonRandomTest.class.getResourceAsStream("cpython-golden.csv");
    try (var reader =
        new BufferedReader(
            new InputStreamReader(Objects.requireNonNull(stream), StandardCharsets.UTF_8))) {
      return reader
          .lines()
          .skip(2)
          .map(line -> line.split(",", -1))
          .map(f -> new Draw(f[0], f[1], f[2], f[3]))
          .collect(Collectors.groupingBy(Draw::seed));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static List<String> seeds() {
    return golden().keySet().stream().sorted().toList();
  }

  @Test
  void goldenHasThirteenSeedsOfFiveHundredDraws() {
    assertThat(golden()).hasSize(13).allSatisfy((_, draws) -> assertThat(draws).hasSize(500));
  }

  @ParameterizedTest
  @MethodSource("seeds")
  void givesWhatCPythonGave(String seed) {
    CPythonRandom random = new CPythonRandom(Long.parseLong(seed));
    int line = 0;
    for (Draw draw : Objects.requireNonNull(golden().get(seed))) {
      line++;
      String what = draw.name + " " + draw.argument + ", draw " + line;
      switch (draw.name) {
        case "random" ->
            assertThat(random.random()).as(what).isEqualTo(Double.parseDouble(draw.value));
        case "below", "choice" ->
            assertThat(random.below(Integer.parseInt(draw.argument)))
                .as(what)
                .isEqualTo(Integer.parseInt(draw.value));
        case "expovariate" -> assertClose(random.expovariate(12.8), draw.value, what);
        case "lognormvariate" -> assertClose(random.lognormvariate(-0.36, 0.85), draw.value, what);
        default -> throw new AssertionError(draw.name);
      }
    }
  }

  /// Two units in the last place: one for each library's logarithm or exponential.
  private static void assertClose(double actual, String text, String what) {
    double expected = Double.parseDouble(text);
    assertThat(actual).as(what).isCloseTo(expected, offset(2 * Math.ulp(expected)));
  }

  @Test
  void agreesWithTheReferenceImplementationFarOut() {
    // python3 -c "import random; r=random.Random(7); [r.random() for _ in range(10**6)];
    // print(r.random())"
    CPythonRandom random = new CPythonRandom(7);
    for (int i = 0; i < 1_000_000; i++) {
      random.random();
    }
    assertThat(random.random()).isEqualTo(0.8550423246816186);
  }

  @Test
  void theTangentNeverChangesWhatIsAccepted() {
    // Accepted without the logarithm must imply accepted with it, over the whole range of u2.
    for (int i = 1; i <= 1_000_000; i++) {
      double u = i / 1e6;
      assertThat(1.25 - 1e-9 - Math.exp(0.25) * u).isLessThan(-Math.log(u));
    }
  }

  @Test
  void refusesABoundOfZero() {
    CPythonRandom random = new CPythonRandom(1);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> random.below(0))
        .withMessage("bound: 0 (expected: > 0)");
  }
}
