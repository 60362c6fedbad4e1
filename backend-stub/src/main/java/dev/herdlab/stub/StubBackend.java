package dev.herdlab.stub;

import java.util.List;
import java.util.stream.IntStream;

/// What one stub backend is: its name, its port, its speed.
///
/// Owner thread: any (immutable).
///
/// @param id name in the response header; printable ASCII without spaces or commas
/// @param port TCP port, 0 = any free one
/// @param speed a service time of one unit takes 1/speed units here; above 0
public record StubBackend(String id, int port, double speed) {
  private static final int MAX_PORT = 65_535;

  public StubBackend {
    if (!isName(id)) {
      throw new IllegalArgumentException(
          "id: \"" + id + "\" (expected: printable ASCII without spaces and commas)");
    }
    if (port < 0 || port > MAX_PORT) {
      throw new IllegalArgumentException("port: " + port + " (expected: 0 to " + MAX_PORT + ")");
    }
    if (!(speed > 0) || speed == Double.POSITIVE_INFINITY) {
      throw new IllegalArgumentException("speed: " + speed + " (expected: > 0)");
    }
  }

  /// Backends `prefix`0, `prefix`1, ..., one for each speed.
  ///
  /// @param ports one for each speed
  public static List<StubBackend> series(String prefix, List<Integer> ports, List<Double> speeds) {
    if (ports.size() != speeds.size()) {
      throw new IllegalArgumentException(
          "ports: " + ports.size() + " (expected: one for each of " + speeds.size() + " speeds)");
    }
    return IntStream.range(0, speeds.size())
        .mapToObj(i -> new StubBackend(prefix + i, ports.get(i), speeds.get(i)))
        .toList();
  }

  private static boolean isName(String id) {
    return !id.isEmpty() && id.chars().allMatch(c -> c > ' ' && c < 0x7F && c != ',');
  }
}
