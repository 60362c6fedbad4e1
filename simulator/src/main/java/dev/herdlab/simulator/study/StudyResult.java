package dev.herdlab.simulator.study;

import java.util.List;

/// What a study found. Owner thread: any (immutable).
///
/// @param cells one row a run: for programs
/// @param summary the same as people want it, e.g. averaged over seeds; may be `cells` itself
/// @param notes a sentence each: what a column cannot say, and warnings
public record StudyResult(Table cells, Table summary, List<String> notes) {
  public StudyResult {
    notes = List.copyOf(notes);
  }

  /// A result whose rows are for people and programs alike.
  static StudyResult of(Table cells, List<String> notes) {
    return new StudyResult(cells, cells, notes);
  }
}
