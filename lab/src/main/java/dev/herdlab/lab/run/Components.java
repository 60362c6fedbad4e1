package dev.herdlab.lab.run;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// The bodies of the commands `backend`, `proxy` and `loadgen`. Owner thread: the process's main
/// one.
public final class Components {
  private Components() {}

  /// Serves backends until the process is told to end.
  ///
  /// @throws ConfigException if they cannot be started: one line
  public static void backend(Settings settings, InputStream in, PrintWriter out) {
    serve(BackendComponent.of(settings), settings, in, out);
  }

  /// Serves proxies until the process is told to end.
  ///
  /// @throws ConfigException if they cannot be started: one line
  public static void proxy(
      Settings settings, Algorithms algorithms, InputStream in, PrintWriter out) {
    serve(ProxyComponent.of(settings, algorithms), settings, in, out);
  }

  /// Sends the requests that the settings describe and returns what happened; or, with a control
  /// stream, does what that says and returns nothing of its own.
  ///
  /// @throws ConfigException if the proxies cannot be reached: one line
  public static Optional<Sent> loadgen(Settings settings, InputStream in, PrintWriter out) {
    GeneratorComponent generator = GeneratorComponent.of(settings);
    if (isControlled(settings)) {
      serve(generator, settings, in, out);
      return Optional.empty();
    }
    try (generator) {
      Trace trace = generator.ownTrace();
      return Optional.of(new Sent(trace, generator.runNow(trace)));
    } catch (IOException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConfigException("interrupted");
    }
  }

  /// What a generator on its own sent. Owner thread: any (immutable).
  public record Sent(Trace trace, RunLog run) {}

  private static boolean isControlled(Settings settings) {
    return settings.get(ComponentKeys.CONTROL).equals("stdin");
  }

  private static void serve(
      Component component, Settings settings, InputStream in, PrintWriter out) {
    try (component) {
      ComponentProcess process = new ComponentProcess(component, out);
      process.start();
      if (isControlled(settings)) {
        process.obey(new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)));
      } else {
        ComponentProcess.awaitEnd();
      }
    } catch (IOException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
