package dev.herdlab.lab;

import java.io.StringWriter;
import java.nio.file.Path;
import java.util.Map;

/// The program run inside a test: what it printed and how it ended.
record Program(int exitCode, String out, String err) {
  /// The source tree, above the module that tests run in.
  static final Path HOME = Path.of("..").toAbsolutePath().normalize();

  static Program run(Map<String, String> environment, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    Host host = new Host(environment, HOME, Host.Device.OTHER, Host.Device.OTHER);
    int exitCode = Main.commandLine(host, out, err).execute(arguments);
    return new Program(exitCode, out.toString(), err.toString());
  }

  static Program run(String... arguments) {
    return run(Map.of(), arguments);
  }
}
