package dev.herdlab.lab.report;

import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.result.CellResult;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// The folder of a finished run, as reports read it: `summary.json`, and `requests.csv.gz` if the
/// run was measured. Owner thread: any.
public final class RunFiles {
  private final Path folder;
  private final RunDocument document;

  private RunFiles(Path folder, RunDocument document) {
    this.folder = folder;
    this.document = document;
  }

  /// Opens a run's folder.
  ///
  /// @throws ConfigException if it is none
  public static RunFiles open(Path folder) {
    Path summary = folder.resolve("summary.json");
    try {
      return new RunFiles(folder, RunDocument.fromJson(Files.readString(summary)));
    } catch (IllegalArgumentException e) {
      throw new ConfigException(summary + ": " + e.getMessage());
    } catch (IOException e) {
      throw ConfigException.at(
          folder.toString(), "no readable summary.json in it", "the folder of a run");
    }
  }

  /// Writes `report.html` into the folder and says where it is.
  ///
  /// @throws ConfigException if it cannot be written
  public Path writeReport() {
    Path report = folder.resolve("report.html");
    String html = HtmlReport.of(document, samples());
    try {
      Files.writeString(report, html);
    } catch (IOException e) {
      throw ConfigException.at(report.toString(), String.valueOf(e), "a file to write to");
    }
    return report;
  }

  private List<double[]> samples() {
    Path requests = folder.resolve("requests.csv.gz");
    if (!Files.exists(requests)) {
      return List.of();
    }
    try {
      return LatencySamples.read(
          requests, document.cells().stream().map(CellResult::plan).toList());
    } catch (IOException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    }
  }
}
