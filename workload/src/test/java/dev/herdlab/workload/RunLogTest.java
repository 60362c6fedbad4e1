package dev.herdlab.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.herdlab.workload.RunLog.Attempt;
import dev.herdlab.workload.RunLog.Entry;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RunLogTest {
  private static final Trace TRACE =
      Trace.of(4, new long[] {10, 20, 30, 40}, new int[] {0, 3, 1, 2}, new long[] {5, 6, 7, 8});

  private static final Attempt SERVED = new Attempt("b7", 0, 13, 14, 15, 16, 16, 21, 22, 23);
  private static final Attempt REFUSED = new Attempt("b1", 3, 23, 24, -1, -1, -1, -1, -1, -1);
  private static final Attempt RETRIED = new Attempt("b2", 3, 23, 26, 27, 28, 29, 35, 36, 37);

  private static final RunLog LOG =
      new RunLog(
          List.of(
              new Entry(0, 11, 25, RunLog.OK, List.of(SERVED)),
              new Entry(1, 21, 39, RunLog.OK, List.of(REFUSED, RETRIED)),
              new Entry(2, 31, 90, "client-timeout", List.of()),
              new Entry(
                  3,
                  41,
                  44,
                  "no-backend",
                  List.of(new Attempt("", 2, 42, 43, -1, -1, -1, -1, -1, -1)))));

  @TempDir private Path folder;

  private Path written() throws IOException {
    Path file = folder.resolve("requests.csv.gz");
    write(file, LOG);
    return file;
  }

  /// Writes each log as a cell of its own, from 1.
  private static void write(Path file, RunLog... logs) throws IOException {
    try (RunLogWriter out = RunLogWriter.create(file)) {
      for (int i = 0; i < logs.length; i++) {
        out.append(i + 1, TRACE, logs[i]);
      }
    }
  }

  private Path file(String content) throws IOException {
    Path file = folder.resolve("requests.csv.gz");
    try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
      out.write(content.getBytes(StandardCharsets.UTF_8));
    }
    return file;
  }

  @Test
  void writesALineForEachEntry() throws IOException {
    try (var in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(written())), StandardCharsets.UTF_8))) {
      assertThat(in.lines())
          .containsExactly(
              "i,intended_ns,sent_ns,done_ns,proxy,backend,service_ns,outcome,attempts,"
                  + "proxy_received_ns,picked_ns,forwarded_ns,backend_received_ns,start_ns,"
                  + "finish_ns,delivered_ns,returned_ns,tenant,cell",
              "0,10,11,25,0,b7,5,ok,1,13,14,15,16,16,21,22,23,0,1",
              "1,20,21,39,3,b1;b2,6,ok,2,23;23,24;26,-1;27,-1;28,-1;29,-1;35,-1;36,-1;37,0,1",
              "2,30,31,90,1,,7,client-timeout,0,-1,-1,-1,-1,-1,-1,-1,-1,0,1",
              "3,40,41,44,2,,8,no-backend,1,42,43,-1,-1,-1,-1,-1,-1,0,1");
    }
  }

  @Test
  void writingAndReadingChangesNothing() throws IOException {
    assertThat(RunLog.read(written(), 1)).isEqualTo(LOG);
  }

  @Test
  void aRunsFileIsATraceToo() throws IOException {
    assertThat(Trace.read(written()).sha256()).isEqualTo(TRACE.sha256());
  }

  @Test
  void eachCellOfAFileIsReadForItself() throws IOException {
    Path file = folder.resolve("requests.csv.gz");
    RunLog second = new RunLog(LOG.entries().subList(0, 3));
    write(file, LOG, second, new RunLog(List.of()));
    assertThat(RunLog.read(file, 1)).isEqualTo(LOG);
    assertThat(RunLog.read(file, 2)).isEqualTo(second);
    assertThat(Trace.read(file, 2).size()).isEqualTo(3);
    assertThat(Trace.read(file).size()).isEqualTo(4);
  }

  @Test
  void aCellThatIsNotInTheFileIsAnError() throws IOException {
    Path file = written();
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RunLog.read(file, 2))
        .withMessageEndingWith("end of file (expected: lines of cell 2)");
    assertThatIllegalArgumentException().isThrownBy(() -> Trace.read(file, 2));
  }

  @Test
  void theLogOfARunInWhichNothingWasSentIsEmpty() throws IOException {
    Path file = folder.resolve("requests.csv.gz");
    write(file, new RunLog(List.of()));
    assertThat(RunLog.read(file, 1).entries()).isEmpty();
  }

  @Test
  void theLogOfARunThatWasStoppedIsATraceOfWhatWasSent() throws IOException {
    Path file = folder.resolve("requests.csv.gz");
    write(file, new RunLog(LOG.entries().subList(0, 2)));
    assertThat(Trace.read(file).size()).isEqualTo(2);
    assertThat(RunLog.read(file, 1).entries()).isEqualTo(LOG.entries().subList(0, 2));
  }

  @Test
  void entriesAreInTheOrderOfTheirRequests() {
    assertThat(new RunLog(LOG.entries().reversed())).isEqualTo(LOG);
    Entry entry = LOG.entries().get(2);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new RunLog(List.of(entry, entry)))
        .withMessage("request 2: two entries (expected: one)");
  }

  @Test
  void theLastAttemptIsTheOneThatCounts() {
    assertThat(LOG.entries().get(1).last()).isEqualTo(RETRIED);
    assertThat(LOG.entries().get(1).ok()).isTrue();
    assertThat(LOG.entries().get(2).ok()).isFalse();
    assertThatExceptionOfType(NoSuchElementException.class)
        .isThrownBy(() -> LOG.entries().get(2).last());
  }

  @Test
  void refusesTextsThatWouldBreakTheFile() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Entry(0, 1, 2, "a,b", List.of()))
        .withMessage("outcome: a,b (expected: no blank, comma, semicolon or quote)");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Attempt("b\n1", 0, 1, 1, 1, 1, 1, 1, 1, 1));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0,1,2,0,b1,o k,1,3 | 2: outcome: o k (expected: no blank, comma, semicolon or quote)",
        "0,1,2,0,b1;b2,ok,1,3 | 2: b1;b2: 2 parts (expected: 1 attempts)",
        "0,1,2,0,b1;b2,ok,2,3 | 2: 3: 1 parts (expected: 2 attempts)",
        "0,1,2,0,b1,ok,1,x | 2: proxy_received_ns: x (expected: a whole number)",
        "0,1,2,0,b1,ok,-1,3 | 2: attempts: -1 (expected: >= 0)",
        "1,1,2,0,b1,ok,1,3/1,1,2,0,b1,ok,1,3 | 3: i: 1 (expected: above 1)",
        "-1,1,2,0,b1,ok,1,3 | 2: i: -1 (expected: above -1)"
      })
  void namesFileAndLineOfWhatIsWrong(String lines, String message) throws IOException {
    String stamps = ",4,5,6,7,8,9,10";
    Path file =
        file(
            "i,sent_ns,done_ns,proxy,backend,outcome,attempts,proxy_received_ns,picked_ns,"
                + "forwarded_ns,backend_received_ns,start_ns,finish_ns,delivered_ns,returned_ns\n"
                + (lines + "/").replace("/", stamps + "\n"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RunLog.read(file, 1))
        .withMessage(file + ":" + message);
  }

  @Test
  void theFileIsWholeAfterEachCell() throws IOException {
    Path file = folder.resolve("requests.csv.gz");
    try (RunLogWriter out = RunLogWriter.create(file)) {
      assertThat(RunLog.read(file, 1).entries()).isEmpty();
      out.append(1, TRACE, LOG);
      assertThat(RunLog.read(file, 1)).isEqualTo(LOG);
      out.append(2, TRACE, LOG);
      assertThat(RunLog.read(file, 2)).isEqualTo(LOG);
    }
    assertThat(RunLog.read(file, 1)).isEqualTo(LOG);
  }
}
