package dev.herdlab.lab.run;

import dev.herdlab.lab.config.CellPlan;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/// How many connections a cell's components hold: opened before the clock starts, so that few have
/// to be while it runs, and at most, so that an overloaded run fails requests, with their cause,
/// before it takes the process's last file descriptor.
///
/// Owner thread: any (immutable).
///
/// @param upstream opened for each proxy and backend
/// @param upstreamLimit most for each proxy and backend
/// @param client opened for each proxy
/// @param clientLimit most for each proxy
record Sizing(int upstream, int upstreamLimit, int client, int clientLimit) {
  /// Requests in flight on one backend that are provided for at the start: what the default
  /// experiment's herd reaches now and then. A guess that was checked against its count of
  /// connections opened while it ran.
  private static final int DEPTH = 48;

  private static final int LEAST = 2;
  private static final int MOST = 4096;

  /// File descriptors for other things than sockets: jars, epoll, pipes. Generous.
  private static final long OTHER_FILES = 200;

  /// Where the system does not tell its limit: what Linux distributions commonly allow.
  private static final long USUAL_FILES = 4096;

  /// For one cell, all of whose sockets are in one process.
  ///
  /// @throws IOException if there are not enough file descriptors: the limit and what is needed
  static Sizing of(CellPlan plan) throws IOException {
    return of(plan, fileLimit());
  }

  static Sizing of(CellPlan plan, long fileLimit) throws IOException {
    long proxies = plan.proxies();
    long pools = proxies * plan.backends();
    // A connection has two ends. Half of the connections may be clients', half upstream.
    long half = (fileLimit - OTHER_FILES - proxies - plan.backends()) / 4;
    long upstreamLimit = Math.min(MOST, half / pools);
    long clientLimit = Math.min(MOST, half / proxies);
    if (upstreamLimit < LEAST || clientLimit < LEAST) {
      throw new IOException(
          "open files: at most %d (expected: %d for %d proxies and %d backends; see ulimit -n)"
              .formatted(
                  fileLimit,
                  4 * LEAST * pools + OTHER_FILES + proxies + plan.backends(),
                  plan.proxies(),
                  plan.backends()));
    }
    return new Sizing(
        (int) Math.min(upstreamLimit, LEAST + DEPTH / proxies),
        (int) upstreamLimit,
        (int) Math.min(clientLimit, LEAST + (long) DEPTH * plan.backends() / proxies / 2),
        (int) clientLimit);
  }

  private static long fileLimit() {
    return ManagementFactory.getOperatingSystemMXBean()
            instanceof com.sun.management.UnixOperatingSystemMXBean unix
        ? unix.getMaxFileDescriptorCount()
        : USUAL_FILES;
  }
}
