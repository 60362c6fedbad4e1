package dev.herdlab.proxy.redis;

import dev.herdlab.proxy.Site;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;

/// A proxy process that holds some requests, to be killed.
final class OtherProcess implements AutoCloseable {
  private final Process process;
  private final String incarnation;

  private OtherProcess(Process process, String incarnation) {
    this.process = process;
    this.incarnation = incarnation;
  }

  /// @param held requests that it has in flight on a backend that holds them
  static OtherProcess start(
      RedisSettings settings, InetSocketAddress backend, String view, int held) throws Exception {
    Process process =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "--enable-native-access=ALL-UNNAMED",
                "--sun-misc-unsafe-memory-access=allow",
                "-Xmx64m",
                "-cp",
                System.getProperty("java.class.path"),
                OtherProcess.class.getName(),
                settings.uri(),
                settings.group(),
                Integer.toString(backend.getPort()),
                view,
                Integer.toString(held))
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    BufferedReader out =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    return new OtherProcess(process, Objects.requireNonNull(out.readLine(), "it started"));
  }

  String incarnation() {
    return incarnation;
  }

  void kill() {
    process.destroyForcibly().onExit().orTimeout(30, TimeUnit.SECONDS).join();
  }

  @Override
  public void close() {
    kill();
  }

  /// The process itself: says who it is once it holds its requests, and ends with its input.
  public static void main(String[] args) throws Exception {
    UUID incarnation = UUID.randomUUID();
    RedisBoard board = new RedisBoard(RedisSettings.of(args[0], args[1]), incarnation);
    var backend =
        new InetSocketAddress(InetAddress.getLoopbackAddress(), Integer.parseInt(args[2]));
    try (Site site = new Site(board, 1, List.of(backend))) {
      Site.eventually("connected", () -> site.pool().state().board().health().connected());
      site.install(args[3]);
      site.hold(0, Integer.parseInt(args[4]));
      System.out.println(incarnation);
      while (System.in.read() >= 0) {}
    }
  }
}
