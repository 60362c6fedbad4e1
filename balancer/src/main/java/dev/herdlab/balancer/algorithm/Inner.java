package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// The algorithm inside a decorator: a balancer that is shown the decorator's set, some of it, or
/// the same with other weights, and whose picks are made the decorator's.
///
/// To the balancer a backend that is hidden has left, and is new when it is shown again: what it
/// remembered of it is gone. Its own picks reach it as picks from another set.
///
/// Cost: O(1) beside the balancer's own, nothing is allocated; [#show] O(n). Owner thread: its
/// dispatcher's.
final class Inner implements LoadBalancer {
  /// What every decorator takes.
  static final Parameter OF =
      Parameter.nested(
          "of", Parameter.REQUIRED, "the algorithm that is decorated, with parameters");

  /// The algorithm that a decorator's parameters name.
  ///
  /// @throws IllegalArgumentException if it limits: requests can wait outside of all others alone
  static ConfiguredAlgorithm of(Parameters parameters) {
    ConfiguredAlgorithm of = parameters.algorithm(OF.name());
    if (of.limit() != ConfiguredAlgorithm.NO_LIMIT) {
      throw Settings.of(parameters).refusal(OF.name(), "no limit inside: it stands outside of all");
    }
    return of;
  }

  private final LoadBalancer balancer;
  private BackendSet all;
  private BackendSet shown;
  private int[] indices;

  /// Shown all as it is.
  ///
  /// @param view as the balancer is to see it, by the indices of `all`
  Inner(ConfiguredAlgorithm of, BackendSet all, View view, Ports ports) {
    this(of, all, all, view, ports);
  }

  /// @param shown the same backends with the weights that the balancer begins with
  Inner(ConfiguredAlgorithm of, BackendSet all, BackendSet shown, View view, Ports ports) {
    this.all = all;
    this.shown = shown;
    this.indices = Members.all(all.size());
    this.balancer =
        of.create(
            shown,
            new Seen(view),
            new Ports(
                ports.clock(),
                ports.random(),
                ports.timer(),
                index -> ports.prober().probe(indices[index]),
                ports.peers()));
  }

  /// The view by the indices of what is shown.
  private final class Seen implements View {
    private final View view;

    Seen(View view) {
      this.view = view;
    }

    @Override
    public int inFlight(int index) {
      return view.inFlight(indices[index]);
    }

    @Override
    public int own(int index) {
      return view.own(indices[index]);
    }

    @Override
    public long ageNanos(long nowNanos) {
      return view.ageNanos(nowNanos);
    }

    @Override
    public long refreshNanos() {
      return view.refreshNanos();
    }

    @Override
    public long copies() {
      return view.copies();
    }
  }

  /// Shows all of `next`, the decorator's set from now on, as it is.
  @Override
  public void update(BackendSet next) {
    all = next;
    shown = next;
    indices = Members.all(next.size());
    balancer.update(next);
  }

  /// Shows a part of `next`, the decorator's set from now on.
  ///
  /// @param backends what is shown: of those at `indices`, the ids
  /// @param indices of them in `next`; taken over
  void show(BackendSet next, List<Backend> backends, int[] indices) {
    all = next;
    this.indices = indices;
    shown = shown.next(backends);
    balancer.update(shown);
  }

  @Override
  public PickResult pick(PickContext context) {
    PickResult result = balancer.pick(context);
    if (result instanceof Picked picked && picked.backends() != all) {
      picked.standFor(all, indices[picked.index()]);
    }
    return result;
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    balancer.completed(picked, outcome);
  }

  @Override
  public void observe(BackendSignal signal) {
    balancer.observe(signal);
  }

  @Override
  public Wants wants() {
    return balancer.wants();
  }

  @Override
  public int idleQueueLength() {
    return balancer.idleQueueLength();
  }
}
