package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.Further;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Snapshot;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.transport.Scheduling;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;

/// A running proxy in front of given backends, with round-robin installed; checks at its end that
/// nothing is left.
final class Fixture implements AutoCloseable {
  static final Duration BOUND = Duration.ofSeconds(30);
  private static final long UNIT_NANOS = 1_000_000;

  final PreciseLoop loop =
      PreciseLoop.create(new PreciseLoop.Settings("test-loop", 0, Scheduling.DEFAULT));
  final ProxyPool pool;
  final DispatchLog log = new DispatchLog(16);
  private final Queue<Ended> ended = new ConcurrentLinkedQueue<>();
  private final Queue<Outcome> outcomes = new ConcurrentLinkedQueue<>();

  Fixture(List<InetSocketAddress> backends, UnaryOperator<ProxySettings> change) throws Exception {
    loop.start();
    List<BackendAddress> addresses = new ArrayList<>();
    for (InetSocketAddress backend : backends) {
      addresses.add(BackendAddress.of("b" + addresses.size(), backend));
    }
    ProxySettings settings = change.apply(ProxySettings.of("127.0.0.1", 1, addresses));
    pool = new ProxyPool(loop, settings, new Recorder(), this::ended, CountBoard.memory());
    try {
      pool.start();
    } catch (IOException e) {
      loop.close();
      throw e;
    }
    install("round-robin", "local");
  }

  /// A request as it was reported.
  record Ended(
      int proxy, String backend, String outcome, long received, long picked, long endedNanos) {}

  private void ended(
      int proxy, String backend, String outcome, long received, long picked, long endedNanos) {
    ended.add(new Ended(proxy, backend, outcome, received, picked, endedNanos));
  }

  static Fixture before(RawBackend backend) throws Exception {
    return new Fixture(List.of(backend.address()), settings -> settings);
  }

  static Fixture before(RawBackend backend, UnaryOperator<ProxySettings> change) throws Exception {
    return new Fixture(List.of(backend.address()), change);
  }

  void install(String algorithm, String view) {
    pool.install(
        Algorithms.builtIn().parse(algorithm, UNIT_NANOS),
        ViewSpec.parse(view, UNIT_NANOS),
        1,
        loop.nanos());
  }

  RawClient client() throws IOException {
    return new RawClient(pool.addresses().getFirst());
  }

  /// The outcomes of all exchanges so far.
  List<Outcome> outcomes() {
    return List.copyOf(outcomes);
  }

  /// What was reported of each request so far.
  List<Ended> ended() {
    return List.copyOf(ended);
  }

  long inFlight() {
    return onLoop(() -> pool.truth().total());
  }

  ProxyState.Connections connections() {
    return onLoop(pool::connections);
  }

  /// Runs something on the loop's thread.
  <T> T onLoop(Callable<T> task) {
    try {
      return loop.call(task, BOUND);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  /// Waits until something holds; fails if it does not within a bound far above what it takes.
  static void eventually(String what, BooleanSupplier holds) {
    long start = System.nanoTime();
    while (!holds.getAsBoolean()) {
      assertThat(System.nanoTime() - start).as(what).isLessThan(BOUND.toNanos());
      LockSupport.parkNanos(UNIT_NANOS);
    }
  }

  void eventuallyIdle() {
    eventually("in flight back at zero", () -> inFlight() == 0);
  }

  @Override
  public void close() {
    try {
      eventuallyIdle();
      assertThat(loop.failure()).isNull();
    } finally {
      pool.close();
      ProxyState.Connections left = connections();
      loop.close();
      assertThat(left.clients()).isZero();
      assertThat(left.backends()).isZero();
      assertThat(left.idleBackends()).isZero();
    }
  }

  private final class Recorder implements DispatchListener {
    @Override
    public void picked(int proxy, Picked picked, PickContext context) {
      log.picked(proxy, picked, context);
    }

    @Override
    public void waits(int proxy, PickContext context, int pinned, long nowNanos) {
      log.waits(proxy, context, pinned, nowNanos);
    }

    @Override
    public void again(int proxy, Further why, int index, long nowNanos) {
      log.again(proxy, why, index, nowNanos);
    }

    @Override
    public void completed(int proxy, Picked picked, Outcome outcome, long nowNanos) {
      outcomes.add(outcome);
      log.completed(proxy, picked, outcome, nowNanos);
    }

    @Override
    public void refreshed(int proxy, Snapshot snapshot, long notIncluded, long nowNanos) {
      log.refreshed(proxy, snapshot, notIncluded, nowNanos);
    }
  }
}
