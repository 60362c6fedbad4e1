package dev.herdlab.lab.conduct;

import dev.herdlab.lab.admin.AdminServer;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.lab.metrics.LabMetrics;
import dev.herdlab.lab.metrics.MetricsRegistry;
import dev.herdlab.lab.metrics.MetricsServer;
import dev.herdlab.lab.metrics.ProcessMetrics;
import dev.herdlab.lab.run.HiccupMonitor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;

/// The ports of the conductor: the live page and the metrics. Owner thread: its opener's.
///
/// @param page empty if there is none
/// @param server of the metrics, empty if there is none
/// @param measures counted whether or not anybody reads them
/// @param hiccups watches for stalls, for the metrics
record Doors(
    Optional<AdminServer> page,
    Optional<MetricsServer> server,
    Measures measures,
    HiccupMonitor hiccups)
    implements AutoCloseable {
  private static final String NONE = "none";

  /// Opens them.
  ///
  /// @throws IOException in one line, if one cannot be listened on
  static Doors open(Experiment experiment, Settings settings, Program program, Status status)
      throws IOException {
    MetricsRegistry registry = new MetricsRegistry();
    Measures measures = new Measures(new LabMetrics(registry));
    HiccupMonitor hiccups = new HiccupMonitor();
    HiccupMonitor.Watch scraped = hiccups.watch();
    ProcessMetrics.addTo(registry, "lab", version(), scraped::reset);
    Optional<AdminServer> page = Optional.empty();
    String at = settings.get(ConductKeys.PAGE);
    if (!at.equals(NONE)) {
      AdminServer server =
          new AdminServer(
              address(settings, at),
              new Page(
                      program,
                      status,
                      experiment.algorithms(),
                      experiment.cells().getFirst().unitNanos())
                  .resources(),
              AdminServer.DEFAULT_BOUND);
      server.start();
      page = Optional.of(server);
    }
    String metrics = settings.get(ConductKeys.METRICS);
    try {
      hiccups.start();
      return new Doors(
          page,
          metrics.equals(NONE)
              ? Optional.empty()
              : Optional.of(MetricsServer.start(metrics, registry)),
          measures,
          hiccups);
    } catch (IllegalArgumentException e) {
      page.ifPresent(AdminServer::close);
      throw settings.error(ConductKeys.METRICS, "HOST:PORT, or none");
    } catch (IOException e) {
      page.ifPresent(AdminServer::close);
      throw e;
    }
  }

  /// Of the jar; none where it runs from classes.
  private static String version() {
    return Optional.ofNullable(Doors.class.getPackage().getImplementationVersion())
        .orElse("unknown");
  }

  private static InetSocketAddress address(Settings settings, String text) {
    int colon = text.lastIndexOf(':');
    try {
      InetSocketAddress address =
          new InetSocketAddress(
              text.substring(0, Math.max(colon, 0)), Integer.parseInt(text.substring(colon + 1)));
      if (colon > 0 && !address.isUnresolved()) {
        return address;
      }
    } catch (IllegalArgumentException e) {
      // No such port.
    }
    throw settings.error(ConductKeys.PAGE, "HOST:PORT, or none");
  }

  /// Where they are, in a line for people.
  String describe() {
    return page.map(server -> "live page on port " + server.port()).orElse("no live page")
        + server.map(metrics -> ", metrics on port " + metrics.port()).orElse("");
  }

  @Override
  public void close() {
    page.ifPresent(AdminServer::close);
    server.ifPresent(MetricsServer::close);
    hiccups.close();
  }
}
