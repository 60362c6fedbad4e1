package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RecordedTest {
  private static final long UNIT = 1_000_000;
  private static final ServiceLaw LAW = ServiceLaw.parse("deterministic");

  @TempDir private Path folder;

  private String spec(String lines) throws IOException {
    Path file = folder.resolve("gaps");
    Files.writeString(file, lines);
    return "recorded(file=" + file + ")";
  }

  private static long[] instants(String spec, double rate, long seed, int count) {
    Trace trace = Trace.generate(seed, count, 1, ArrivalProcess.parse(spec, rate, UNIT), LAW, UNIT);
    long[] instants = new long[count];
    for (int i = 0; i < count; i++) {
      instants[i] = trace.intendedNanos(i);
    }
    return instants;
  }

  @Test
  void gapsComeInTheirOrderScaledToTheRateOverAndOver() throws IOException {
    String spec = spec("# seconds\n1\n2 # two\n\n3\n");
    // Two a unit: a mean gap of half a unit, which is 2 in the file.
    assertThat(instants(spec, 2, 1, 7))
        .containsExactly(250_000, 750_000, 1_500_000, 1_750_000, 2_250_000, 3_000_000, 3_250_000);
    assertThat(instants(spec, 2, 2, 7)).isEqualTo(instants(spec, 2, 1, 7));
  }

  @Test
  void roundingDoesNotAddUp() throws IOException {
    assertThat(instants(spec("1\n1\n1\n"), 3e-3, 1, 30_000)[29_999])
        .isCloseTo(10_000_000L * UNIT, within(1L));
  }

  @Test
  void arrivalsAtOneInstantAreANanosecondApart() throws IOException {
    assertThat(instants(spec("0\n0\n3\n"), 1, 1, 4)).containsExactly(1, 2, 3 * UNIT, 3 * UNIT + 1);
  }

  @Test
  void saysWhichLineIsWrong() throws IOException {
    String spec = spec("1\n-2\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArrivalProcess.parse(spec, 1, UNIT))
        .withMessage(folder.resolve("gaps") + ":2: -2 (expected: one number >= 0)");
  }

  @Test
  void refusesGapsOfNoLength() throws IOException {
    String spec = spec("0\n0\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ArrivalProcess.parse(spec, 1, UNIT))
        .withMessageEndingWith(" (expected: samples with a mean > 0)");
  }

  @Test
  void aSpecForAnyFolderNamesTheFileWhole() {
    String here = Path.of("").toAbsolutePath().toString();
    assertThat(ArrivalProcess.absolute("recorded(file=a/b.txt)"))
        .isEqualTo("recorded(file=" + here + "/a/b.txt)");
    assertThat(ArrivalProcess.absolute("bursty(ratio=2)")).isEqualTo("bursty(ratio=2)");
  }
}
