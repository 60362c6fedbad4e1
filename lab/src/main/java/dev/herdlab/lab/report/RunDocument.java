package dev.herdlab.lab.report;

import dev.herdlab.lab.config.Threshold;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.result.ThresholdCheck;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// All that a run gave: the document `herdlab.run/1`, which is printed by `--format json`, kept as
/// `summary.json` in the run's folder, and read back by `report`.
///
/// Owner thread: any (immutable).
///
/// @param experiment its name
/// @param description what it shows; may be empty
/// @param environment what it ran on, texts and numbers by name, in order
/// @param thresholds rules for every cell
/// @param cells those that were finished, in the order of running
public record RunDocument(
    String experiment,
    String description,
    Map<String, Object> environment,
    List<Threshold> thresholds,
    List<CellResult> cells) {
  /// The value of `format`.
  public static final String FORMAT = "herdlab.run/1";

  public RunDocument {
    environment = Collections.unmodifiableMap(new LinkedHashMap<>(environment));
    thresholds = List.copyOf(thresholds);
    cells = List.copyOf(cells);
  }

  /// Without thresholds.
  public RunDocument(
      String experiment,
      String description,
      Map<String, Object> environment,
      List<CellResult> cells) {
    this(experiment, description, environment, List.of(), cells);
  }

  /// What became of the thresholds: rule by rule, cell by cell. Cost: O(cells^2) for each rule that
  /// names another algorithm.
  public List<ThresholdCheck> checks() {
    return ThresholdCheck.of(thresholds, cells);
  }

  /// As JSON, indented, with a line break at its end. Same document, same bytes.
  public String toJson() {
    return RunJsonWriter.write(this);
  }

  /// Reads what [#toJson] wrote; unknown keys are ignored.
  ///
  /// @throws IllegalArgumentException if it is not such a document: what is missing, in one line
  public static RunDocument fromJson(String json) {
    return RunJsonReader.read(json);
  }
}
