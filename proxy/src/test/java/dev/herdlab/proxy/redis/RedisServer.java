package dev.herdlab.proxy.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

/// A real Redis server on a free port, which keeps nothing when it ends. Tests are skipped where
/// the program is missing, but for those that CI runs.
final class RedisServer implements AutoCloseable {
  private static final long BOUND_NANOS = 30_000_000_000L;

  private final int port;
  private Process process;

  private RedisServer(int port) {
    this.port = port;
  }

  static RedisServer start() throws IOException {
    RedisServer server = new RedisServer(freePort());
    server.restart();
    return server;
  }

  /// A port where nobody listens yet.
  static RedisServer notStarted() throws IOException {
    program();
    return new RedisServer(freePort());
  }

  private static int freePort() throws IOException {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  private static Path program() {
    Optional<Path> found =
        Stream.concat(
                Stream.of(System.getenv("PATH").split(File.pathSeparator)),
                Stream.of("/usr/bin", "/usr/sbin", "/usr/local/bin"))
            .map(folder -> Path.of(folder, "redis-server"))
            .filter(Files::isExecutable)
            .findFirst();
    if (!"true".equals(System.getenv("CI"))) {
      assumeTrue(found.isPresent(), "redis-server is not installed");
    }
    return found.orElseThrow(() -> new AssertionError("redis-server is not installed"));
  }

  String uri() {
    return "redis://127.0.0.1:" + port;
  }

  void restart() throws IOException {
    Path log = Files.createTempFile("redis", ".log");
    process =
        new ProcessBuilder(
                program().toString(),
                "--port",
                Integer.toString(port),
                "--bind",
                "127.0.0.1",
                "--save",
                "",
                "--appendonly",
                "no",
                "--dir",
                System.getProperty("java.io.tmpdir"))
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    long start = System.nanoTime();
    while (!listens()) {
      assertThat(process.isAlive()).as(() -> "redis-server runs: " + read(log)).isTrue();
      assertThat(System.nanoTime() - start).as("redis-server listens").isLessThan(BOUND_NANOS);
      LockSupport.parkNanos(5_000_000);
    }
    Files.delete(log);
  }

  private static String read(Path log) {
    try {
      return Files.readString(log);
    } catch (IOException e) {
      return e.toString();
    }
  }

  private boolean listens() {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1000);
      return true;
    } catch (IOException e) {
      return false;
    }
  }

  /// Ends it as a machine's failure would.
  void kill() {
    process.destroyForcibly().onExit().orTimeout(30, TimeUnit.SECONDS).join();
  }

  /// It does nothing any more, but its sockets stay open.
  void freeze() throws Exception {
    signal("-STOP");
  }

  void thaw() throws Exception {
    signal("-CONT");
  }

  private void signal(String signal) throws Exception {
    Process kill = new ProcessBuilder("kill", signal, Long.toString(process.pid())).start();
    assertThat(kill.waitFor()).isZero();
  }

  @Override
  public void close() {
    if (process != null) {
      kill();
    }
  }
}
