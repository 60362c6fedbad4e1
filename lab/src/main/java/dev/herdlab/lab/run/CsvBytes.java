package dev.herdlab.lab.run;

import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.RunLogWriter;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Traces and run logs as the bytes of their files, for the admin API.
///
/// Owner thread: any (no state).
final class CsvBytes {
  private CsvBytes() {}

  private interface Use<R> {
    R with(Path file) throws IOException;
  }

  private static <R> R inFile(Use<R> use) throws IOException {
    Path file = Files.createTempFile("herdlab-", ".csv.gz");
    try {
      return use.with(file);
    } finally {
      Files.deleteIfExists(file);
    }
  }

  /// A trace, as [Trace#write] writes it.
  static byte[] of(Trace trace) throws IOException {
    return inFile(
        file -> {
          trace.write(file);
          return Files.readAllBytes(file);
        });
  }

  /// A trace.
  ///
  /// @throws IllegalArgumentException if the content is wrong
  static Trace trace(byte[] csvGz) throws IOException {
    return inFile(file -> Trace.read(Files.write(file, csvGz)));
  }

  /// What came of a run, as a [RunLogWriter] writes it.
  static byte[] of(Trace trace, RunLog run) throws IOException {
    return inFile(
        file -> {
          try (RunLogWriter out = RunLogWriter.create(file)) {
            out.append(1, trace, run);
          }
          return Files.readAllBytes(file);
        });
  }

  /// What came of a run.
  static GeneratorRun.Result result(byte[] csvGz) throws IOException {
    return inFile(
        file -> {
          Files.write(file, csvGz);
          return new GeneratorRun.Result(Trace.read(file), RunLog.read(file, 1));
        });
  }
}
