package dev.herdlab.stub;

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

  private static boolean isName(String id) {
    return !id.isEmpty() && id.chars().allMatch(c -> c > ' ' && c < 0x7F && c != ',');
  }
}
