package dev.herdlab.lab.twin;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import dev.herdlab.balancer.Waiting;
import java.util.function.Consumer;
import java.util.function.IntPredicate;

/// A balancer that asks another one for each pick, notes the answer, and picks what it was told to.
///
/// The other one sees every event, so it makes the picks it would have made if all others had gone
/// as recorded. Owner thread: its dispatcher's.
final class ForcedBalancer implements LoadBalancer {
  /// Stands for a refusal where an index is expected.
  static final int REFUSED = -1;

  /// Stands for a request that has to wait.
  static final int WAITS = -2;

  private static final NoBackend RECORDED_REFUSAL = new NoBackend("refused in the record");

  private final LoadBalancer fresh;
  private BackendSet backends;
  private int next = REFUSED;
  private int answer = REFUSED;

  private ForcedBalancer(LoadBalancer fresh, BackendSet backends) {
    this.fresh = fresh;
    this.backends = backends;
  }

  /// `algorithm`, but the balancers that it makes are forced, and shown to `made`.
  static ConfiguredAlgorithm forcing(ConfiguredAlgorithm algorithm, Consumer<ForcedBalancer> made) {
    return inPlaceOf(algorithm, algorithm.algorithm()::create, made);
  }

  /// In place of `algorithm` a forced balancer that asks nobody.
  static ConfiguredAlgorithm alone(ConfiguredAlgorithm algorithm, Consumer<ForcedBalancer> made) {
    return inPlaceOf(algorithm, (parameters, backends, view, ports) -> LoadBalancer.NONE, made);
  }

  /// How the other one is made.
  private interface Creation {
    LoadBalancer create(Parameters parameters, BackendSet backends, View view, Ports ports);
  }

  private static ConfiguredAlgorithm inPlaceOf(
      ConfiguredAlgorithm algorithm, Creation fresh, Consumer<ForcedBalancer> made) {
    Algorithm forced =
        new Algorithm() {
          @Override
          public Description description() {
            return algorithm.algorithm().description();
          }

          @Override
          public LoadBalancer create(
              Parameters parameters, BackendSet backends, View view, Ports ports) {
            ForcedBalancer balancer =
                new ForcedBalancer(fresh.create(parameters, backends, view, ports), backends);
            made.accept(balancer);
            return balancer;
          }
        };
    return new ConfiguredAlgorithm(algorithm.spec(), forced, algorithm.parameters());
  }

  /// Tells what the next pick will be: an index of the current set, [#REFUSED] or [#WAITS], which
  /// is a refusal too: on record stands when it was asked for again.
  void next(int index) {
    next = index;
  }

  /// What the other balancer answered to the last pick: an index, [#REFUSED] or [#WAITS].
  int answer() {
    return answer;
  }

  @Override
  public PickResult pick(PickContext context) {
    return recorded(fresh.pick(context));
  }

  @Override
  public PickResult pickAgain(PickContext context, IntPredicate tried) {
    return recorded(fresh.pickAgain(context, tried));
  }

  private PickResult recorded(PickResult its) {
    answer =
        switch (its) {
          case Picked picked -> picked.index();
          case NoBackend refused -> REFUSED;
          case Waiting place -> WAITS;
        };
    return next < 0 ? RECORDED_REFUSAL : new Picked(backends, next);
  }

  @Override
  public void update(BackendSet next) {
    backends = next;
    fresh.update(next);
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    fresh.completed(picked, outcome);
  }

  @Override
  public void observe(BackendSignal signal) {
    fresh.observe(signal);
  }

  @Override
  public Wants wants() {
    return fresh.wants();
  }

  @Override
  public int idleQueueLength() {
    return fresh.idleQueueLength();
  }
}
