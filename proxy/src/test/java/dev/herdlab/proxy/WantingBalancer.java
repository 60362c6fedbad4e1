package dev.herdlab.proxy;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import dev.herdlab.balancer.ViewSpec;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.ToIntFunction;

/// An algorithm that wants what a test says, notes what it hears, and picks the backend that its
/// clients' cookies name, else the first.
final class WantingBalancer implements Algorithm {
  private final LoadBalancer.Wants wants;
  private final Queue<Object> heard = new ConcurrentLinkedQueue<>();
  private final Queue<PickContext> contexts = new ConcurrentLinkedQueue<>();
  private volatile ToIntFunction<BackendSet> choice = backends -> 0;
  private volatile int idleQueueLength;
  private volatile Ports.Prober prober = index -> {};

  WantingBalancer(LoadBalancer.Wants wants) {
    this.wants = wants;
  }

  static WantingBalancer of(boolean loadReports, int idleChoices, boolean cookies) {
    return new WantingBalancer(new LoadBalancer.Wants(loadReports, idleChoices, cookies));
  }

  WantingBalancer installed(Fixture proxy) {
    return installed(proxy, "local");
  }

  WantingBalancer installed(Fixture proxy, String view) {
    Parameters none = Algorithms.builtIn().parse("round-robin", 1).parameters();
    proxy.pool.install(
        new ConfiguredAlgorithm("wanting", this, none),
        ViewSpec.parse(view, 1_000_000),
        1,
        proxy.loop.nanos());
    return this;
  }

  /// Signals and completions, in their order, so far.
  List<Object> heard() {
    return List.copyOf(heard);
  }

  /// What it was told of the requests so far.
  List<PickContext> contexts() {
    return List.copyOf(contexts);
  }

  void picks(ToIntFunction<BackendSet> index) {
    choice = index;
  }

  void knowsIdle(int backends) {
    idleQueueLength = backends;
  }

  /// Probes from its present balancer. On the loop's thread.
  void probe(int index) {
    prober.probe(index);
  }

  @Override
  public Description description() {
    return new Description("wanting", "", List.of(), "O(1)", "none", List.of(), List.of());
  }

  @Override
  public LoadBalancer create(Parameters parameters, BackendSet backends, View view, Ports ports) {
    prober = ports.prober();
    return new Balancer(backends);
  }

  private final class Balancer implements LoadBalancer {
    private BackendSet backends;

    Balancer(BackendSet backends) {
      this.backends = backends;
    }

    @Override
    public Wants wants() {
      return wants;
    }

    @Override
    public int idleQueueLength() {
      return idleQueueLength;
    }

    @Override
    public PickResult pick(PickContext context) {
      contexts.add(context);
      int pinned = backends.indexOf(context.pinned());
      return new Picked(backends, pinned < 0 ? choice.applyAsInt(backends) : pinned);
    }

    @Override
    public void update(BackendSet next) {
      backends = next;
    }

    @Override
    public void completed(Picked picked, Outcome outcome) {
      heard.add(outcome);
    }

    @Override
    public void observe(BackendSignal signal) {
      heard.add(signal);
    }
  }
}
