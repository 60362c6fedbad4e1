package dev.herdlab.lab.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.result.CellResult;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HtmlReportTest {
  @TempDir Path folder;

  private void write(RunDocument run) throws IOException {
    Files.writeString(folder.resolve("summary.json"), run.toJson());
    try (Writer out =
        new OutputStreamWriter(
            new GZIPOutputStream(Files.newOutputStream(folder.resolve("requests.csv.gz"))),
            StandardCharsets.US_ASCII)) {
      out.write("i,intended_ns,sent_ns,done_ns,proxy,backend,service_ns,outcome,cell\n");
      for (int cell = 1; cell <= run.cells().size(); cell++) {
        for (int i = 0; i < 2000; i++) {
          // Exponential quantiles, of mean 3 units.
          long latency = Math.round(-Math.log((i * 1237 % 2000 + 0.5) / 2000) * 3e7);
          String outcome = i % 100 == 7 ? "client-timeout" : "ok";
          out.write(
              i + ",1000,1000," + (1000 + latency) + ",0,b0,10," + outcome + "," + cell + "\n");
        }
      }
    }
  }

  @Test
  void reportIsOneFileThatNeedsNothingElse() throws IOException {
    write(Samples.run());

    String html = Files.readString(RunFiles.open(folder).writeReport());

    assertThat(html)
        .startsWith("<!DOCTYPE html>")
        .endsWith("</html>\n")
        .doesNotContain("http://", "https://", "<script", "<link", "@import", "url(", "src=")
        .contains("prefers-color-scheme: dark", "4 of 5 cells are valid", "<svg", "Words");
  }

  @Test
  void namesOfOthersAreEscaped() throws IOException {
    write(Samples.run());

    assertThat(Files.readString(RunFiles.open(folder).writeReport()))
        .contains("OpenJDK &lt;64-Bit&gt; &amp; Co 25")
        .doesNotContain("<64-Bit>");
  }

  @Test
  void sameRunGivesTheSameBytes() throws IOException {
    write(Samples.run());

    String first = Files.readString(RunFiles.open(folder).writeReport());

    assertThat(Files.readString(RunFiles.open(folder).writeReport())).isEqualTo(first);
  }

  @Test
  void samplesAreSortedInUnitsWithoutWarmupAndFailures() throws IOException {
    write(Samples.run());
    List<double[]> samples =
        LatencySamples.read(
            folder.resolve("requests.csv.gz"),
            Samples.run().cells().stream().map(CellResult::plan).toList());

    assertThat(samples).hasSize(5);
    // 1500 after the warm-up of 500, less one in a hundred.
    assertThat(samples.getFirst()).hasSize(1485).isSorted();
    assertThat(samples.getFirst()[742])
        .isBetween(1.8, 2.4); // The median of that law: 3 ln 2 = 2.08.
  }

  @Test
  void reportWithoutRequestsHasNoCurves() throws IOException {
    Files.writeString(folder.resolve("summary.json"), Samples.run().toJson());

    assertThat(Files.readString(RunFiles.open(folder).writeReport()))
        .doesNotContain("How many requests took longer")
        .contains("Latency, measured and in the model");
  }

  @Test
  void folderOfNoRunIsRefused() throws IOException {
    assertThatThrownBy(() -> RunFiles.open(folder))
        .isInstanceOf(ConfigException.class)
        .hasMessage(folder + ": no readable summary.json in it (expected: the folder of a run)");
    Files.writeString(folder.resolve("summary.json"), "{\"format\":\"other/1\"}");
    assertThatThrownBy(() -> RunFiles.open(folder))
        .isInstanceOf(ConfigException.class)
        .hasMessage(folder.resolve("summary.json") + ": format: other/1 (expected: herdlab.run/1)");
  }

  @Test
  void whatHasNoNumberIsLeftOut() {
    String html = HtmlReport.of(Samples.withoutNumbers(), List.of());

    assertThat(html)
        .doesNotContain("NaN")
        .contains("1 of 3 cells are valid")
        .contains("The attempt broke off: proxy process: ended with exit code 137");
  }
}
