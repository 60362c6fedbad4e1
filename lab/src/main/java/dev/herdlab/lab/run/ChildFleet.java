package dev.herdlab.lab.run;

import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.Serving;
import dev.herdlab.transport.Scheduling;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// A fleet of three children of this process, made for cells of one shape: generator, proxies and
/// backends.
///
/// Owner thread: its starter's.
final class ChildFleet implements AutoCloseable {
  // Its socket closes a little before a process has ended.
  private static final Duration LAST_BREATH = Duration.ofSeconds(1);

  private final Shape shape;
  private final List<ChildProcess> children;
  private final Fleet fleet;

  private ChildFleet(Shape shape, List<ChildProcess> children, Fleet fleet) {
    this.shape = shape;
    this.children = List.copyOf(children);
    this.fleet = fleet;
  }

  /// What processes can be reused for.
  private record Shape(int proxies, List<Double> speeds, List<Integer> weights, Serving serving) {
    static Shape of(CellPlan plan) {
      return new Shape(plan.proxies(), plan.speeds(), plan.weights(), plan.serving());
    }
  }

  /// Starts them.
  ///
  /// @param begun hears of each child before it is ready
  /// @throws IOException if one is not ready in time, in one line; none is left then
  static ChildFleet start(
      CellPlan plan, Scheduling scheduling, List<Path> plugins, Consumer<ChildProcess> begun)
      throws IOException, InterruptedException {
    Sizing sizing = Sizing.of(plan);
    String priority = "priority=" + scheduling.label();
    List<ChildProcess> started = new ArrayList<>();
    try {
      ChildProcess.Started backends =
          ChildProcess.start("backend", backendKeys(plan, priority), List.of(), begun);
      started.add(backends.child());
      ChildProcess.Started proxies =
          ChildProcess.start(
              "proxy", proxyKeys(plan, priority, backends.data(), sizing), plugins, begun);
      started.add(proxies.child());
      ChildProcess.Started generator =
          ChildProcess.start(
              "loadgen", generatorKeys(plan, priority, proxies.data(), sizing), List.of(), begun);
      started.add(generator.child());
      return new ChildFleet(
          Shape.of(plan), started.reversed(), fleet(proxies, backends, generator));
    } catch (IOException e) {
      IOException why = whyOf(e, started);
      started.reversed().forEach(ChildProcess::close);
      throw why;
    } catch (InterruptedException | RuntimeException e) {
      started.reversed().forEach(ChildProcess::close);
      throw e;
    }
  }

  private static List<String> proxyKeys(
      CellPlan plan, String priority, String backends, Sizing sizing) {
    List<String> keys = new ArrayList<>();
    keys.add(priority);
    keys.add("instances=" + plan.proxies());
    keys.add("backends=" + backends);
    keys.add("weights=" + list(plan.weights()));
    keys.add("pool-warm=" + sizing.upstream());
    keys.add("pool-cap=" + sizing.upstreamLimit());
    keys.addAll(AttemptKeys.of(plan));
    return keys;
  }

  private static List<String> backendKeys(CellPlan plan, String priority) {
    Serving serving = plan.serving();
    List<String> keys = new ArrayList<>();
    keys.add(priority);
    keys.add("backends=" + plan.backends());
    keys.add("speeds=" + list(plan.speeds()));
    keys.add("discipline=" + serving.queueing().discipline().label());
    keys.add("servers=" + serving.queueing().servers());
    if (serving.hasLimit()) {
      keys.add("queue-limit=" + serving.queueing().limit());
    }
    return keys;
  }

  private static List<String> generatorKeys(
      CellPlan plan, String priority, String proxies, Sizing sizing) {
    List<String> keys = new ArrayList<>();
    keys.add(priority);
    keys.add("proxies=" + proxies);
    keys.add("connections=" + sizing.client());
    keys.add("connection-limit=" + sizing.clientLimit());
    if (plan.serving().hasTimeout()) {
      keys.add("timeout=" + plan.serving().timeoutNanos() + "ns");
    }
    return keys;
  }

  /// That a process has ended says more than that it cannot be reached.
  private static IOException whyOf(IOException failure, List<ChildProcess> started)
      throws InterruptedException {
    try {
      for (ChildProcess child : started) {
        child.requireAlive(LAST_BREATH);
      }
      return failure;
    } catch (IOException ended) {
      return ended;
    }
  }

  private static String list(List<?> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  private static Fleet fleet(
      ChildProcess.Started proxies, ChildProcess.Started backends, ChildProcess.Started generator)
      throws IOException, InterruptedException {
    Fleet fleet =
        new Fleet(
            new Fleet.Places(
                List.of(proxies.admin()), List.of(backends.admin()), List.of(generator.admin())),
            ChildFleet::address);
    List<String> silent = fleet.look().silent();
    if (!silent.isEmpty()) {
      fleet.close();
      throw new IOException(silent.getFirst());
    }
    return fleet;
  }

  private static List<InetSocketAddress> address(String place) {
    return ComponentLists.address(place, 1).stream().toList();
  }

  /// To speak to them.
  Fleet fleet() {
    return fleet;
  }

  /// Whether a cell can be measured with them.
  boolean fits(CellPlan plan) {
    return shape.equals(Shape.of(plan)) && children.stream().allMatch(ChildProcess::isAlive);
  }

  /// Whether cells of these two plans can be measured with the same children.
  static boolean alike(CellPlan one, CellPlan other) {
    return Shape.of(one).equals(Shape.of(other));
  }

  /// Throws if the generator or the proxies have ended, or are about to: how, in one line. Without
  /// backends a run comes to its end.
  void requireAlive() throws IOException, InterruptedException {
    for (ChildProcess child : children.subList(0, 2)) {
      child.requireAlive(LAST_BREATH);
    }
  }

  /// Throws if the proxies have ended: how, in one line. Nobody but the generator hears it from
  /// them.
  void requireProxies() throws IOException, InterruptedException {
    children.get(1).requireAlive(Duration.ZERO);
  }

  @Override
  public void close() {
    fleet.close();
    children.forEach(ChildProcess::end);
    children.forEach(ChildProcess::close);
  }
}
