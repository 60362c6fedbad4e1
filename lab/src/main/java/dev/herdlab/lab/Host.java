package dev.herdlab.lab;

import java.io.Console;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/// What the commands know of the world around them. Owner thread: any (immutable).
///
/// @param environment variables
/// @param home folder of the source tree, where `experiments/` is
/// @param out whether a person sees stdout
/// @param err whether a person sees stderr
record Host(Map<String, String> environment, Path home, Device out, Device err) {
  /// Where a stream goes.
  enum Device {
    TERMINAL,
    OTHER
  }

  /// Of this process.
  static Host ofProcess() {
    return new Host(
        System.getenv(), Path.of(System.getProperty("herdlab.home", ".")), device(1), device(2));
  }

  /// One of the experiments that come with the source tree, relative to the current folder if it is
  /// below.
  Path experiment(String name) {
    Path file = home.resolve("experiments").resolve(name).toAbsolutePath().normalize();
    Path here = Path.of("").toAbsolutePath();
    return file.startsWith(here) ? here.relativize(file) : file;
  }

  /// Java only knows whether both stdin and stdout are terminals; Linux tells for each.
  private static Device device(int descriptor) {
    try {
      String file = Files.readSymbolicLink(Path.of("/proc/self/fd/" + descriptor)).toString();
      return file.startsWith("/dev/pts/") || file.startsWith("/dev/tty")
          ? Device.TERMINAL
          : Device.OTHER;
    } catch (IOException notLinux) {
      return Optional.ofNullable(System.console()).filter(Console::isTerminal).isPresent()
          ? Device.TERMINAL
          : Device.OTHER;
    }
  }
}
