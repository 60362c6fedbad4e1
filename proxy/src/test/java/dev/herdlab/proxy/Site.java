package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.Snapshot;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.transport.Scheduling;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BooleanSupplier;

/// The proxies of one process, with a loop and a board of their own: several of these stand for
/// several processes. Notes every copy that a view was shown.
public final class Site implements AutoCloseable {
  public static final long MILLISECOND = 1_000_000;
  private static final Duration BOUND = Duration.ofSeconds(30);

  private final PreciseLoop loop =
      PreciseLoop.create(new PreciseLoop.Settings("site", 0, Scheduling.DEFAULT));
  private final ProxyPool pool;
  private final Queue<Shown> shown = new ConcurrentLinkedQueue<>();
  private final List<RawClient> held = new ArrayList<>();
  private boolean loopLives = true;

  /// A copy that was shown to one proxy.
  ///
  /// @param counts by backend
  /// @param notIncluded picks of the proxy that it does not know of
  /// @param nanos when, since the epoch
  public record Shown(
      int proxy,
      long number,
      Map<String, Integer> counts,
      long notIncluded,
      long truthNanos,
      long nanos) {
    public int total() {
      return counts.values().stream().mapToInt(Integer::intValue).sum();
    }
  }

  /// @param backends named b0, b1, ...
  public Site(CountBoard board, int instances, List<InetSocketAddress> backends) throws Exception {
    loop.start();
    pool =
        new ProxyPool(
            loop,
            ProxySettings.of("127.0.0.1", instances, named(backends)),
            new Notes(),
            ExchangeListener.NONE,
            board);
    pool.start();
  }

  public static List<BackendAddress> named(List<InetSocketAddress> backends) {
    List<BackendAddress> named = new ArrayList<>();
    for (InetSocketAddress backend : backends) {
      named.add(BackendAddress.of("b" + named.size(), backend));
    }
    return named;
  }

  private final class Notes implements DispatchListener {
    @Override
    public void refreshed(int proxy, Snapshot snapshot, long notIncluded, long nowNanos) {
      Map<String, Integer> counts = new TreeMap<>();
      for (int i = 0; i < snapshot.backends().size(); i++) {
        counts.put(snapshot.backends().get(i).id(), snapshot.count(i));
      }
      shown.add(
          new Shown(
              proxy, snapshot.number(), counts, notIncluded, snapshot.truthNanos(), nowNanos));
    }
  }

  public ProxyPool pool() {
    return pool;
  }

  /// Round-robin with this view, from now on.
  public Site install(String view) {
    return install(view, 0, 0);
  }

  /// The same, for proxies of other numbers.
  ///
  /// @param delayNanos from now to the epoch
  public Site install(String view, int firstProxy, long delayNanos) {
    pool.install(
        new Installation(
            Algorithms.builtIn().parse("round-robin", MILLISECOND),
            ViewSpec.parse(view, MILLISECOND),
            view,
            7,
            loop.nanos() + delayNanos,
            firstProxy,
            0,
            "test"));
    return this;
  }

  /// Copies that were shown so far.
  public List<Shown> shown() {
    return List.copyOf(shown);
  }

  /// The last copy that was shown to each proxy that was shown one, by its number.
  public Map<Integer, Shown> last() {
    Map<Integer, Shown> last = new TreeMap<>();
    shown.forEach(each -> last.put(each.proxy(), each));
    return last;
  }

  /// Sends requests that the backends hold, and waits until they are picked.
  public void hold(int instance, int requests) throws Exception {
    long before = pool.state().inFlight();
    for (int i = 0; i < requests; i++) {
      RawClient client = new RawClient(pool.addresses().get(instance));
      held.add(client);
      client.send("GET / HTTP/1.1\r\nHost: h\r\n\r\n");
    }
    eventually("in flight", () -> pool.state().inFlight() == before + requests);
  }

  /// The requests that were held get their answers.
  public void receive() throws Exception {
    for (RawClient client : held) {
      assertThat(client.receive().status()).isEqualTo(200);
      client.close();
    }
    held.clear();
    eventually("in flight back at zero", () -> pool.state().inFlight() == 0);
  }

  /// One request from start to end; its status.
  public int get(int instance) throws Exception {
    try (RawClient client = new RawClient(pool.addresses().get(instance))) {
      return client.get("/").status();
    }
  }

  /// Runs a task on the loop after a while, and waits for it.
  public void await(long nanos) {
    long from = System.nanoTime();
    eventually("time passes", () -> System.nanoTime() - from > nanos);
  }

  /// Stops everything but the board's own thread, as in a process that hangs.
  public void hang() {
    loopLives = false;
    loop.close();
  }

  public static void eventually(String what, BooleanSupplier holds) {
    Fixture.eventually(what, holds);
  }

  private long inFlight() {
    try {
      return loop.call(() -> pool.truth().total(), BOUND);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() throws IOException {
    for (RawClient client : held) {
      client.close();
    }
    pool.close();
    if (loopLives) {
      assertThat(loop.failure()).isNull();
      assertThat(inFlight()).isZero();
      loop.close();
    }
  }
}
