package dev.herdlab.lab.run;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.lab.metrics.MetricsRegistry;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.util.Optional;

/// The bodies of the commands `backend`, `proxy` and `loadgen`. Owner thread: the process's main
/// one.
public final class Components {
  private Components() {}

  /// Serves backends until the process is told to end.
  ///
  /// @throws ConfigException if they cannot be started: one line
  public static void backend(Settings settings, InputStream in, PrintWriter out) {
    Optional<MetricsRegistry> registry = registry(settings);
    serve(BackendComponent.of(settings, registry), settings, registry, in, out);
  }

  /// Serves proxies until the process is told to end.
  ///
  /// @throws ConfigException if they cannot be started: one line
  public static void proxy(
      Settings settings, Algorithms algorithms, InputStream in, PrintWriter out) {
    Optional<MetricsRegistry> registry = registry(settings);
    serve(ProxyComponent.of(settings, algorithms, registry), settings, registry, in, out);
  }

  /// Sends the requests that the settings describe and returns what happened; or, with an admin
  /// port, sends what it is told there, until the process is told to end, and returns nothing.
  ///
  /// @throws ConfigException if the proxies cannot be reached: one line
  public static Optional<Sent> loadgen(Settings settings, InputStream in, PrintWriter out) {
    Optional<MetricsRegistry> registry = registry(settings);
    GeneratorComponent generator = GeneratorComponent.of(settings, registry);
    if (!settings.get(ComponentKeys.ADMIN).equals("none")) {
      serve(generator, settings, registry, in, out);
      return Optional.empty();
    }
    try (generator) {
      return Optional.of(generator.sendOwn());
    } catch (IOException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConfigException("interrupted");
    }
  }

  /// What a generator on its own sent. Owner thread: any (immutable).
  public record Sent(Trace trace, RunLog run) {}

  private static Optional<MetricsRegistry> registry(Settings settings) {
    return settings.get(ComponentKeys.METRICS).equals("none")
        ? Optional.empty()
        : Optional.of(new MetricsRegistry());
  }

  private static void serve(
      Component component,
      Settings settings,
      Optional<MetricsRegistry> registry,
      InputStream in,
      PrintWriter out) {
    try {
      new ComponentProcess(component, settings, registry).live(in, out);
    } catch (IOException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
