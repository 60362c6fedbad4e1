package dev.herdlab.lab.report;

import dev.herdlab.lab.config.CellPlan;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.DoubleStream;
import java.util.zip.GZIPInputStream;

/// The latencies of a run's cells as `requests.csv.gz` holds them: sorted, in units, those after
/// the warm-up that were answered.
///
/// Columns are found by name; `cell` counts from 1, and without it there is one cell. Owner thread:
/// any.
final class LatencySamples {
  private LatencySamples() {}

  /// One array for each of `plans`; empty for cells that the file does not hold.
  ///
  /// @throws IOException if it is not such a file: the line and what was expected
  static List<double[]> read(Path file, List<CellPlan> plans) throws IOException {
    List<DoubleStream.Builder> samples = new ArrayList<>();
    plans.forEach(plan -> samples.add(DoubleStream.builder()));
    try (BufferedReader in =
        new BufferedReader(
            new InputStreamReader(
                new GZIPInputStream(Files.newInputStream(file), 1 << 16),
                StandardCharsets.US_ASCII))) {
      String head = in.readLine();
      List<String> columns = head == null ? List.of() : List.of(head.split(",", -1));
      int number = 1;
      for (String line = in.readLine(); line != null; line = in.readLine()) {
        number++;
        try {
          add(samples, plans, columns, line.split(",", -1));
        } catch (IndexOutOfBoundsException | NumberFormatException e) {
          throw new IOException(
              file + ":" + number + ": not a request (expected: columns " + head + ")", e);
        }
      }
    }
    List<double[]> sorted = new ArrayList<>();
    for (DoubleStream.Builder sample : samples) {
      double[] values = sample.build().toArray();
      Arrays.sort(values);
      sorted.add(values);
    }
    return sorted;
  }

  private static void add(
      List<DoubleStream.Builder> samples,
      List<CellPlan> plans,
      List<String> columns,
      String[] values) {
    int column = columns.indexOf("cell");
    int cell = column < 0 ? 0 : Integer.parseInt(values[column]) - 1;
    if (cell < 0 || cell >= plans.size()) {
      return; // A cell that was stopped before it was finished.
    }
    CellPlan plan = plans.get(cell);
    boolean answered = values[columns.indexOf("outcome")].equals("ok");
    if (answered && Integer.parseInt(values[columns.indexOf("i")]) >= plan.warmup()) {
      long nanos =
          Long.parseLong(values[columns.indexOf("done_ns")])
              - Long.parseLong(values[columns.indexOf("intended_ns")]);
      samples.get(cell).add((double) nanos / plan.unitNanos());
    }
  }
}
