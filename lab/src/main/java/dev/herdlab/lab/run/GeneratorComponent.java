package dev.herdlab.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.loadgen.Generator;
import dev.herdlab.loadgen.GeneratorSettings;
import dev.herdlab.loadgen.Progress;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.RunLogWriter;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// The load generator as a process: `herdlab loadgen`.
///
/// Commands: `connect` opens connections; `begin` (`trace`, `epoch_ns`) begins to send; `stop` ends
/// it early; `progress` says how far it is; `finish` (`file`), once it is over, hands over what
/// happened.
///
/// Owner thread: the process's main one.
public final class GeneratorComponent implements Component {
  // The first requests are not to be late already.
  private static final long LEAD_NANOS = 100_000_000;
  private static final long GRACE_NANOS = 10_000_000_000L;

  private final PreciseLoop loop;
  private final Generator generator;
  private final Settings settings;
  private Trace trace = Trace.of(1, new long[0], new int[0], new long[0]);
  private CompletableFuture<RunLog> running =
      CompletableFuture.completedFuture(new RunLog(List.of()));
  private volatile int sent;
  private volatile int ended;

  private GeneratorComponent(PreciseLoop loop, Generator generator, Settings settings) {
    this.loop = loop;
    this.generator = generator;
    this.settings = settings;
  }

  /// Of these settings; without connections.
  ///
  /// @throws dev.herdlab.lab.config.ConfigException if they do not fit each other or the system
  static GeneratorComponent of(Settings settings) {
    List<InetSocketAddress> proxies =
        settings.list(ComponentKeys.PROXIES).stream()
            .map(text -> ComponentLists.address(settings, ComponentKeys.PROXIES, text))
            .toList();
    if (settings.get(ComponentKeys.CONNECTIONS) > settings.get(ComponentKeys.CONNECTION_LIMIT)) {
      throw settings.error(ComponentKeys.CONNECTIONS, "at most connection-limit");
    }
    GeneratorSettings generator =
        GeneratorSettings.of(proxies, settings.get(ComponentKeys.CONNECTIONS))
            .withConnectionLimit(settings.get(ComponentKeys.CONNECTION_LIMIT))
            .withTimeouts(
                GeneratorSettings.DEFAULT_CONNECT_TIMEOUT,
                Duration.ofNanos(settings.get(ComponentKeys.REQUEST_TIMEOUT)),
                GeneratorSettings.DEFAULT_STOP_TIMEOUT);
    if (settings.get(ComponentKeys.WARMUP) >= settings.get(ComponentKeys.REQUESTS)) {
      throw settings.error(ComponentKeys.WARMUP, "fewer than the requests");
    }
    PreciseLoop loop = ComponentLoop.start("herdlab-loadgen", settings);
    return new GeneratorComponent(loop, new Generator(loop, generator), settings);
  }

  /// The requests that the settings describe.
  Trace ownTrace() {
    long unitNanos = settings.get(ComponentKeys.UNIT);
    return Trace.generate(
        settings.get(ComponentKeys.SEED),
        settings.get(ComponentKeys.REQUESTS),
        settings.list(ComponentKeys.PROXIES).size(),
        ComponentLists.spec(
            settings,
            ComponentKeys.ARRIVALS,
            text -> ArrivalProcess.parse(text, settings.get(ComponentKeys.RATE), unitNanos)),
        ComponentLists.spec(settings, ComponentKeys.DRAWN_SERVICE, ServiceLaw::parse),
        unitNanos);
  }

  @Override
  public String name() {
    return "loadgen";
  }

  @Override
  public Map<String, Object> start() {
    return Map.of("scheduling", loop.granted().describe());
  }

  @Override
  public Map<String, Object> obey(String command, JsonNode arguments)
      throws IOException, InterruptedException {
    return switch (command) {
      case "connect" -> {
        generator.connect();
        yield Map.of();
      }
      case "begin" -> {
        begin(
            Trace.read(Path.of(arguments.path("trace").asText())),
            arguments.path("epoch_ns").asLong());
        yield Map.of();
      }
      case "progress" -> Map.of("sent", sent, "ended", ended, "over", running.isDone());
      case "stop" -> {
        generator.stop();
        yield Map.of();
      }
      case "finish" -> {
        handOver(Path.of(arguments.path("file").asText()));
        yield Map.of("opened", generator.openedInRun());
      }
      default ->
          throw new IllegalArgumentException(
              "do: " + command + " (expected: connect, begin, progress, stop or finish)");
    };
  }

  private void handOver(Path file) throws IOException, InterruptedException {
    if (!running.isDone()) {
      throw new IOException("finish: the run is under way (expected: over)");
    }
    RunLog run = result(Duration.ZERO);
    try (RunLogWriter out = RunLogWriter.create(file)) {
      out.append(1, trace, run);
    }
  }

  /// Connects, sends a trace and waits for its end.
  RunLog runNow(Trace next) throws IOException, InterruptedException {
    generator.connect();
    begin(next, loop.nanos() + LEAD_NANOS);
    // Every request fails in time: what is not over long after that never will be.
    return result(
        Duration.ofNanos(
            LEAD_NANOS
                + next.lastIntendedNanos()
                + 2 * settings.get(ComponentKeys.REQUEST_TIMEOUT)
                + GRACE_NANOS));
  }

  /// Begins to send.
  private void begin(Trace next, long epochNanos) {
    trace = next;
    sent = 0;
    ended = 0;
    Progress progress =
        (sentNow, endedNow, total) -> {
          sent = sentNow;
          ended = endedNow;
        };
    running = generator.run(next, epochNanos, progress);
  }

  private RunLog result(Duration bound) throws IOException, InterruptedException {
    try {
      return running.get(bound.toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException e) {
      throw new IOException("run: " + e.getCause(), e);
    } catch (TimeoutException e) {
      throw new IOException("run: not over within " + bound.toSeconds() + " s", e);
    }
  }

  @Override
  public Optional<String> loopFailure() {
    return Optional.ofNullable(loop.failure()).map(Throwable::toString);
  }

  @Override
  public void close() {
    generator.close();
    loop.close();
  }
}
