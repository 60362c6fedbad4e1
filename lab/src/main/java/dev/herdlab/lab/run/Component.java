package dev.herdlab.lab.run;

import dev.herdlab.lab.admin.AdminResources;
import dev.herdlab.transport.PreciseLoop;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/// One component in a process of its own: starts, answers on its admin port, ends.
///
/// Owner thread: the process's main one; what it adds to the resources is called on others.
interface Component extends AutoCloseable {
  /// What it is called in its ready line and in its state.
  String name();

  /// The loop on which its work is done.
  PreciseLoop loop();

  /// Starts; what the ready line says of it, its ports first.
  ///
  /// @throws IOException if it cannot be started, e.g. a port is in use: one line
  Map<String, Object> start() throws IOException, InterruptedException;

  /// Adds what it can be asked and told beside what every process can. Called before [#start], but
  /// nobody asks before it has started.
  void addTo(AdminResources resources);

  /// What it says of itself, in JSON's types. Asks the loop; any thread.
  Map<String, Object> state();

  /// Takes on nothing new and waits for what is under way, at most so long.
  void drain(Duration bound) throws InterruptedException;

  @Override
  void close();
}
