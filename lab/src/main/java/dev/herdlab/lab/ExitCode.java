package dev.herdlab.lab;

/// How a command ends, for the shell.
final class ExitCode {
  static final int OK = 0;
  static final int INTERNAL = 1;
  static final int USAGE = 2;
  static final int NOT_VALID = 3;

  /// A threshold of the experiment was broken, by a run that is valid.
  static final int THRESHOLD = 4;

  private ExitCode() {}
}
