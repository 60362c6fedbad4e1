package dev.herdlab.balancer;

import java.util.ArrayList;
import java.util.List;

/// One proxy of a system of one, with a clock that a test sets and a log of what happened.
public final class OneProxy {
  public static final long UNIT_NANOS = 1_000_000;

  public final Counts truth;
  public final Dispatcher dispatcher;
  public final List<Runnable> timers = new ArrayList<>();

  /// Delays of the timers, and indices of the backends that were probed.
  public final List<Long> delays = new ArrayList<>();

  public final List<Integer> probed = new ArrayList<>();

  public Ports.Peers peers = Ports.Peers.ALONE;
  public long nowNanos;

  public OneProxy(BackendSet backends) {
    truth = new Counts(backends);
    dispatcher = new Dispatcher(0, backends, truth, () -> nowNanos, DispatchListener.NONE);
  }

  /// Installs a built-in algorithm with the coins of `seed`.
  public OneProxy install(String algorithm, String view, long seed) {
    return install(Algorithms.builtIn(), algorithm, view, SeededRandom.of(seed, "coins", 0));
  }

  public OneProxy install(
      Algorithms algorithms, String spec, String view, Ports.RandomSource random) {
    dispatcher.install(
        algorithms.parse(spec, UNIT_NANOS),
        ViewSpec.parse(view, UNIT_NANOS),
        random,
        (delayNanos, task) -> {
          timers.add(task);
          delays.add(delayNanos);
        },
        probed::add,
        peers);
    return this;
  }

  public Picked pick() {
    return (Picked) dispatcher.pick(PickContext.PLAIN);
  }

  /// The next `count` picks as one word of ids, each completed at once.
  public String picks(int count) {
    StringBuilder ids = new StringBuilder();
    for (int i = 0; i < count; i++) {
      Picked picked = pick();
      ids.append(picked.backend().id());
      picked.complete(Outcome.SUCCEEDED);
    }
    return ids.toString();
  }

  public void update(BackendSet next) {
    truth.update(next);
    dispatcher.update(next);
  }

  /// Own in-flight counts in index order.
  public List<Integer> inFlight() {
    List<Integer> counts = new ArrayList<>();
    for (int i = 0; i < dispatcher.inFlight().size(); i++) {
      counts.add(dispatcher.inFlight().inFlight(i));
    }
    return counts;
  }

  /// Backends named by the letters of `ids`, of weight 1.
  public static List<Backend> named(String ids) {
    return ids.chars().mapToObj(c -> Backend.of(Character.toString(c))).toList();
  }

  /// Ports of a host whose time stands still, whose timers never fire and whose probes are lost.
  public static Ports ports(Ports.RandomSource random) {
    return new Ports(() -> 0, random, (delayNanos, task) -> {}, index -> {});
  }
}
