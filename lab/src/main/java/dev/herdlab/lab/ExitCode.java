package dev.herdlab.lab;

/// How a command ends, for the shell; 4 is reserved for a threshold that was breached.
final class ExitCode {
  static final int OK = 0;
  static final int INTERNAL = 1;
  static final int USAGE = 2;
  static final int NOT_VALID = 3;

  private ExitCode() {}
}
