package dev.herdlab.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;

/// One component in a process of its own: starts, says that it is ready, does what it is told,
/// ends.
///
/// Owner thread: the process's main one.
interface Component extends AutoCloseable {
  /// What it is called in its ready line.
  String name();

  /// Starts; what the ready line says of it, its ports first.
  ///
  /// @throws IOException if it cannot be started, e.g. a port is in use: one line
  Map<String, Object> start() throws IOException, InterruptedException;

  /// Does what a command of the control stream says; what its reply says.
  ///
  /// @throws IllegalArgumentException if it knows no such command
  /// @throws IOException if it cannot be done: one line
  Map<String, Object> obey(String command, JsonNode arguments)
      throws IOException, InterruptedException;

  /// The first error that a task threw on its loop, in one line; empty if none did.
  Optional<String> loopFailure();

  @Override
  void close();
}
