package dev.herdlab.lab.result;

import java.util.List;

/// What the self-test found. Owner thread: any (immutable).
///
/// @param checks in the order of running
public record SelftestResult(List<Check> checks) {
  public SelftestResult {
    checks = List.copyOf(checks);
  }

  /// One known bug, or none, and whether the instrument told the truth about it.
  ///
  /// @param name of the check
  /// @param seeded what was put into the run
  /// @param expected what the instrument had to say
  /// @param passed whether it did
  /// @param evidence what it said
  public record Check(
      String name, String seeded, String expected, boolean passed, String evidence) {}

  /// True if every check passed.
  public boolean passed() {
    return checks.stream().allMatch(Check::passed);
  }
}
