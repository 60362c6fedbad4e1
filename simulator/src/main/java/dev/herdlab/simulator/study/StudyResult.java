package dev.herdlab.simulator.study;

import java.util.List;

/// What a study found. Owner thread: any (immutable).
///
/// @param cells one row a run: for programs
/// @param summary the same as people want it, e.g. averaged over seeds; may be `cells` itself
/// @param parts what the cells lead to, beside them
/// @param notes a sentence each: what a column cannot say, and warnings
public record StudyResult(Table cells, Table summary, List<Part> parts, List<String> notes) {
  public StudyResult {
    parts = List.copyOf(parts);
    notes = List.copyOf(notes);
  }

  /// A finding beside the cells.
  ///
  /// @param name its key in JSON: a-z and _
  /// @param title its heading in text
  /// @param shape one row, or any number
  /// @param table its rows
  public record Part(String name, String title, Shape shape, Table table) {
    public Part {
      if (shape == Shape.ONE && table.rows().size() != 1) {
        throw new IllegalArgumentException(
            "part " + name + ": " + table.rows().size() + " rows (expected: 1)");
      }
    }
  }

  /// How many rows a part has.
  public enum Shape {
    /// One: an object in JSON.
    ONE,
    /// Any number: a list of objects.
    LIST
  }

  /// A result without further parts.
  StudyResult(Table cells, Table summary, List<String> notes) {
    this(cells, summary, List.of(), notes);
  }

  /// A result whose rows are for people and programs alike.
  static StudyResult of(Table cells, List<String> notes) {
    return new StudyResult(cells, cells, notes);
  }
}
