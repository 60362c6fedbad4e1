package dev.herdlab.dns;

/// In which order the server gives the records of a set.
public enum Rotation {
  /// As they stand in the zone file.
  NONE,
  /// Each answer begins with the record after the one that the last answer began with.
  CYCLIC,
  /// Each answer in a random order of its own.
  RANDOM
}
