package dev.herdlab.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.twin.Readings;
import dev.herdlab.loadgen.GeneratorSettings;
import dev.herdlab.loadgen.Progress;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.transport.Scheduling;
import dev.herdlab.transport.SchedulingRefusedException;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/// The testbed of three processes: generator, proxies and backends, each with one loop.
///
/// All are on one host, so their monotonic clocks are one. The processes stay while cells have the
/// same proxies and backends, and are replaced, and burnt in again, when these change or one of
/// them has ended.
///
/// When the backends' process ends during a run, the requests fail, each with its cause, and the
/// run comes to its end; when another does, the run breaks off.
///
/// Owner thread: its opener's; [#interrupt] from any.
final class SeparateProcesses implements Testbed {
  // Enough for the commands that begin a run to be obeyed.
  private static final long LEAD_NANOS = 300_000_000;
  private static final long POLL_MILLIS = 100;
  private static final Duration BOUND = Duration.ofSeconds(60);
  private static final long QUIET_BOUND_NANOS = 2_000_000_000;
  private static final int SETTLING_REQUESTS = 300;
  // After a request to stop. The generator waits for what is in flight for 2 s.
  private static final Duration STOP_BOUND = Duration.ofSeconds(5);

  private final Scheduling scheduling;
  private final List<Path> plugins;
  private final Path exchange;
  private final List<ChildProcess> begun = new CopyOnWriteArrayList<>();
  private List<Cell> burnInCells = List.of();
  private long burnInNanos;
  private @Nullable Children children;
  private volatile boolean stopped;

  private SeparateProcesses(Scheduling scheduling, List<Path> plugins, Path exchange) {
    this.scheduling = scheduling;
    this.plugins = plugins;
    this.exchange = exchange;
  }

  /// A testbed without processes yet.
  ///
  /// @throws SchedulingRefusedException if real-time priority was asked for and is not to be had
  /// @throws IOException if there is no room for the files by which they hand over what they saw
  static SeparateProcesses open(Scheduling scheduling, List<Path> plugins)
      throws SchedulingRefusedException, IOException {
    // What is refused here is refused there.
    try (PreciseLoop probe =
        PreciseLoop.create(new PreciseLoop.Settings("herdlab-probe", 0, scheduling))) {
      probe.start();
    }
    return new SeparateProcesses(scheduling, plugins, Files.createTempDirectory("herdlab-"));
  }

  /// What processes can be reused for.
  private record Shape(int proxies, List<Double> speeds, List<Integer> weights) {
    static Shape of(CellPlan plan) {
      return new Shape(plan.proxies(), plan.speeds(), plan.weights());
    }
  }

  /// The processes of one shape.
  private record Children(
      Shape shape,
      ChildProcess backends,
      ChildProcess proxies,
      ChildProcess generator,
      String granted)
      implements AutoCloseable {
    List<ChildProcess> all() {
      return List.of(generator, proxies, backends);
    }

    List<ProcessHandle> handles() {
      return all().stream().map(ChildProcess::handle).toList();
    }

    boolean alive() {
      return handles().stream().allMatch(ProcessHandle::isAlive);
    }

    @Override
    public void close() {
      all().forEach(ChildProcess::end);
      all().forEach(ChildProcess::close);
    }
  }

  @Override
  public void burnIn(List<Cell> cells, long lengthNanos) {
    // Each set of processes is burnt in when it is made.
    burnInCells = List.copyOf(cells);
    burnInNanos = lengthNanos;
  }

  @Override
  public Observation measure(Cell cell, Trace trace, Progress progress)
      throws IOException, InterruptedException {
    try {
      Children running = childrenFor(cell);
      Trace settling = cell.workload(SETTLING_REQUESTS, 0).trace(cell.plan().seed());
      play(cell, running, settling, eventsOf(trace), Progress.NONE);
      return observe(cell, running, trace, progress);
    } catch (IOException | InterruptedException | RuntimeException e) {
      // Nobody knows what state they are in.
      endChildren();
      throw e;
    }
  }

  private Observation observe(Cell cell, Children running, Trace trace, Progress progress)
      throws IOException, InterruptedException {
    // What came before is garbage now, and not collected while the clock runs.
    System.gc();
    List<Long> before = collections(ask("collect", running));
    try (Instruments instruments = Instruments.start(running.handles())) {
      Instant started = Instant.now();
      Played played = play(cell, running, trace, eventsOf(trace), progress);
      Path log = exchange.resolve("dispatches");
      long inFlight = awaitQuiet(running.proxies(), log);
      List<JsonNode> states = ask("collected", running);
      Readings readings =
          instruments.stop(inFlight, played.opened(), running.granted(), failure(states));
      return new Observation(
          played.run(),
          DispatchLogFile.read(log),
          readings.withGcPauseNanos(longest(before, collections(states))),
          started);
    }
  }

  /// The most that the dispatch log will hold: a pick and an end for each request, and refreshes.
  private static int eventsOf(Trace trace) {
    return 3 * trace.size();
  }

  /// What each process says of itself; nothing for one that has ended.
  ///
  /// @param command `collect` to have them collect garbage first, or `collected`
  private static List<JsonNode> ask(String command, Children running)
      throws IOException, InterruptedException {
    List<JsonNode> states = new ArrayList<>();
    for (ChildProcess child : running.all()) {
      boolean alive = child.handle().isAlive();
      states.add(alive ? child.ask(command, Map.of(), BOUND) : MissingNode.getInstance());
    }
    return states;
  }

  /// How long each process has collected garbage so far; 0 for one that has ended.
  private static List<Long> collections(List<JsonNode> states) {
    return states.stream().map(state -> state.path("gc_ns").asLong()).toList();
  }

  /// The first error of a task on a loop of any process.
  private static Optional<String> failure(List<JsonNode> states) {
    return states.stream()
        .filter(state -> state.has("loop_failure"))
        .map(state -> state.path("loop_failure").asText())
        .findFirst();
  }

  private static long longest(List<Long> before, List<Long> after) {
    long longest = 0;
    for (int i = 0; i < before.size(); i++) {
      longest = Math.max(longest, after.get(i) - before.get(i));
    }
    return longest;
  }

  /// Has the proxies hand over their log, when nothing moves any more; what they still count then.
  private static long awaitQuiet(ChildProcess proxies, Path log)
      throws IOException, InterruptedException {
    long since = System.nanoTime();
    while (true) {
      JsonNode handedOver = proxies.ask("log", Map.of("file", log.toString()), BOUND);
      long inFlight = handedOver.path("in_flight").asLong();
      if (inFlight == 0 || System.nanoTime() - since > QUIET_BOUND_NANOS) {
        return inFlight;
      }
      Thread.sleep(POLL_MILLIS);
    }
  }

  private Children childrenFor(Cell cell) throws IOException, InterruptedException {
    Children now = children;
    Shape shape = Shape.of(cell.plan());
    if (now != null && now.shape().equals(shape) && now.alive()) {
      return now;
    }
    endChildren();
    Children made = start(cell.plan(), shape);
    children = made;
    List<Cell> alike =
        burnInCells.stream().filter(one -> Shape.of(one.plan()).equals(shape)).toList();
    for (BurnIn.Part part : BurnIn.parts(alike.isEmpty() ? List.of(cell) : alike, burnInNanos)) {
      for (Trace trace : part.traces()) {
        play(part.cell(), made, trace, 0, Progress.NONE);
      }
    }
    return made;
  }

  private void endChildren() {
    Children now = children;
    children = null;
    if (now != null) {
      now.close();
    }
    begun.clear();
  }

  private Children start(CellPlan plan, Shape shape) throws IOException, InterruptedException {
    Sizing sizing = Sizing.of(plan);
    String priority = "priority=" + scheduling.label();
    List<ChildProcess> started = new ArrayList<>();
    try {
      ChildProcess.Started backends =
          ChildProcess.start(
              "backend",
              List.of(priority, "backends=" + plan.backends(), "speeds=" + list(plan.speeds())),
              List.of(),
              begun::add);
      started.add(backends.child());
      ChildProcess.Started proxies =
          ChildProcess.start(
              "proxy",
              List.of(
                  priority,
                  "instances=" + plan.proxies(),
                  "backends=" + addresses(backends.ready()),
                  "weights=" + list(plan.weights()),
                  "pool-warm=" + sizing.upstream(),
                  "pool-cap=" + sizing.upstreamLimit()),
              plugins,
              begun::add);
      started.add(proxies.child());
      ChildProcess.Started generator =
          ChildProcess.start(
              "loadgen",
              List.of(
                  priority,
                  "proxies=" + addresses(proxies.ready()),
                  "connections=" + sizing.client(),
                  "connection-limit=" + sizing.clientLimit()),
              List.of(),
              begun::add);
      started.add(generator.child());
      return new Children(
          shape,
          backends.child(),
          proxies.child(),
          generator.child(),
          generator.ready().path("scheduling").asText() + "; a process for each component");
    } catch (IOException | InterruptedException | RuntimeException e) {
      started.reversed().forEach(ChildProcess::close);
      throw e;
    }
  }

  private static String list(List<?> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static String addresses(JsonNode ready) {
    List<String> addresses = new ArrayList<>();
    ready.path("ports").forEach(port -> addresses.add("127.0.0.1:" + port.asInt()));
    return String.join(",", addresses);
  }

  private record Played(RunLog run, int opened) {}

  /// Installs fresh balancers and runs one trace.
  ///
  /// @param events that the proxies make room for before the clock starts
  private Played play(Cell cell, Children on, Trace trace, int events, Progress progress)
      throws IOException, InterruptedException {
    Path plan = exchange.resolve("trace.csv.gz");
    Path happened = exchange.resolve("requests.csv.gz");
    trace.write(plan);
    on.proxies().ask("warm", Map.of(), BOUND);
    on.generator().ask("connect", Map.of(), BOUND);
    // One clock: CLOCK_MONOTONIC, which nanoTime is on Linux, is the host's.
    long epochNanos = System.nanoTime() + LEAD_NANOS;
    on.proxies()
        .ask(
            "install",
            Map.of(
                "algorithm", cell.plan().algorithm(),
                "view", cell.plan().view(),
                "unit_ns", cell.plan().unitNanos(),
                "seed", cell.plan().seed(),
                "events", events,
                "epoch_ns", epochNanos),
            BOUND);
    on.generator().ask("begin", Map.of("trace", plan.toString(), "epoch_ns", epochNanos), BOUND);
    follow(on, trace, progress);
    JsonNode end = on.generator().ask("finish", Map.of("file", happened.toString()), BOUND);
    return new Played(RunLog.read(happened, 1), end.path("opened").asInt());
  }

  /// Waits until the generator is done, with a word now and then.
  private void follow(Children on, Trace trace, Progress progress)
      throws IOException, InterruptedException {
    long since = System.nanoTime();
    long boundNanos =
        LEAD_NANOS
            + trace.lastIntendedNanos()
            + 2 * GeneratorSettings.DEFAULT_REQUEST_TIMEOUT.toNanos();
    boolean told = false;
    while (System.nanoTime() - since < boundNanos) {
      Thread.sleep(POLL_MILLIS);
      if (stopped && !told) {
        told = true;
        on.generator().ask("stop", Map.of(), BOUND);
      }
      on.proxies().requireAlive();
      JsonNode state = on.generator().ask("progress", Map.of(), BOUND);
      progress.at(state.path("sent").asInt(), state.path("ended").asInt(), trace.size());
      if (state.path("over").asBoolean()) {
        return;
      }
    }
    throw new IOException("run: not finished within " + boundNanos / 1_000_000 + " ms");
  }

  @Override
  public void interrupt() {
    stopped = true;
    // What does not answer must not hold up the end. What is stopped is not kept, so that nothing
    // is lost with a process that only was slow.
    Thread.ofVirtual().start(this::killLater);
  }

  private void killLater() {
    try {
      Thread.sleep(STOP_BOUND);
      begun.forEach(ChildProcess::kill);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    endChildren();
    try (var files = Files.list(exchange)) {
      for (Path file : files.toList()) {
        Files.deleteIfExists(file);
      }
      Files.deleteIfExists(exchange);
    } catch (IOException e) {
      // Left to the system's own cleaning of its temporary files.
    }
  }
}
