package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
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
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/// The decorator `slow-start`: a backend that has just joined counts with a part of its weight,
/// which grows over a window by a [StartCurve].
///
/// Only shares matter, so the largest share counts as 1: while all backends are as new as each
/// other nothing is changed. An algorithm by weights is shown weights 100 times as large (less
/// above 2), or that times the share; one by loads `(in flight + 1) / share - 1` in flight.
///
/// Cost: O(1), and O(n) and the algorithm's change of set each hundredth of the window while a
/// backend is in its own. Owner thread: its dispatcher's.
final class SlowStart implements LoadBalancer {
  /// In weights that the algorithm sees, so that a share of a hundredth can be told.
  private static final int SCALE = 100;

  /// HAProxy's and others' largest weight: scaled ones stay below it where they can.
  private static final int LARGEST = 256;

  private static final int UPDATES = 100;

  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "slow-start",
              "Decorator: a backend that has just joined has a part of its weight, which grows over a window."
                  + " While all are equally new it changes nothing.",
              List.of(
                  Inner.OF,
                  Parameter.duration("window", "60s", "after which a backend has its whole weight"),
                  Parameter.choice(
                      "curve",
                      List.of("envoy", "haproxy", "armeria"),
                      "envoy",
                      "max(min, (age / window) ^ (1 / aggression)); in 16 linear steps, the first at once;"
                          + " or Envoy's in ten steps"),
                  Parameter.decimal(
                      "aggression",
                      0.01,
                      100,
                      "1",
                      "above 1 the weight grows fast at first, below 1 late; 1: linear"),
                  Parameter.percent("min", 0.1, 100, "10%", "of the weight at least")),
              "O(1), and that of the algorithm; O(n) each hundredth of the window while a backend is in it",
              "since when each backend is there; one that leaves and returns is new",
              List.of(
                  "`curve=envoy`: Envoy `load_balancer_impl.cc`, `applySlowStartFactor`, commit e01a970;"
                      + " istio/istio#42236 (all new: nothing happens)",
                  "`curve=haproxy`: HAProxy 3.5-dev5 `src/server.c`, `server_recalc_eweight`, with"
                      + " `BE_WEIGHT_SCALE` 16",
                  "`curve=armeria`: Armeria `WeightRampingUpStrategy`, `WeightTransition.aggression`, commit"
                      + " 1532ac1"),
              List.of(
                  "Works on algorithms by weights and, by in flight, those by loads: such a backend seems to have"
                      + " (in flight + 1) / share - 1. Refused: algorithms that go by neither, by keys (as in"
                      + " Envoy and nginx), by reports, or make runs as long as a weight. No product slows the"
                      + " start of unweighted two choices so.",
                  "Ages count in ns; in Envoy in ms, at least 1, in HAProxy in whole seconds. Shares are computed"
                      + " at picks, at most each hundredth of the window: Envoy's at each pick of the backend,"
                      + " HAProxy's each twentieth.",
                  "HAProxy raises `maxconn` alike; here a limit is another decorator's.",
                  "Armeria lets backends that came within half a second take their steps together; here each has"
                      + " its own."));
        }

        @Override
        public Regard regard(Parameters parameters) {
          return parameters.algorithm("of").regard();
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          Settings settings = Settings.of(parameters);
          StartCurve curve = StartCurve.valueOf(settings.choice("curve").toUpperCase(Locale.ROOT));
          if (curve == StartCurve.HAPROXY) {
            settings.refuseGiven("aggression", "no aggression with curve=haproxy");
            settings.refuseGiven("min", "no min with curve=haproxy");
          }
          ConfiguredAlgorithm of = Inner.of(parameters);
          if (of.regard() == Regard.NOTHING) {
            throw settings.refusal(
                "of", "an algorithm that goes by weights or by requests in flight");
          }
          return new SlowStart(
              of,
              curve,
              parameters.nanos("window"),
              parameters.decimal("aggression"),
              parameters.decimal("min"),
              backends,
              view,
              ports);
        }
      };

  private final StartCurve curve;
  private final long windowNanos;
  private final double aggression;
  private final double least;
  private final Ports.NanoClock clock;
  private final boolean weighs;
  private final PerBackend<Joined> joined;
  private final Inner inner;
  private BackendSet backends;
  private double[] shares;
  private boolean starting;
  private long nextNanos;

  /// When a backend was first seen.
  private record Joined(long nanos) {}

  private SlowStart(
      ConfiguredAlgorithm of,
      StartCurve curve,
      long windowNanos,
      double aggression,
      double least,
      BackendSet backends,
      View view,
      Ports ports) {
    this.curve = curve;
    this.windowNanos = windowNanos;
    this.aggression = aggression;
    this.least = least;
    this.clock = ports.clock();
    this.weighs = of.regard() == Algorithm.Regard.WEIGHTS;
    this.backends = backends;
    this.joined = new PerBackend<>(backends, newcomer -> new Joined(clock.nanos()));
    this.shares = new double[backends.size()];
    share(clock.nanos());
    this.inner =
        weighs
            ? new Inner(of, backends, BackendSet.of(scaled()), view, ports)
            : new Inner(of, backends, new Slowed(view), ports);
  }

  /// The view of an algorithm by loads.
  private final class Slowed implements View {
    private final View view;

    Slowed(View view) {
      this.view = view;
    }

    @Override
    public int inFlight(int index) {
      int load = view.inFlight(index);
      return shares[index] == 1 ? load : (int) ((load + 1) / shares[index]) - 1;
    }

    @Override
    public int own(int index) {
      return view.own(index);
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

  /// Each backend's share as of now, over the largest.
  private void share(long nowNanos) {
    double largest = 0;
    starting = false;
    for (int i = 0; i < shares.length; i++) {
      long ageNanos = nowNanos - joined.get(i).nanos();
      boolean isNew = ageNanos < windowNanos;
      starting |= isNew;
      shares[i] = isNew ? curve.at((double) ageNanos / windowNanos, aggression, least) : 1;
      largest = Math.max(largest, shares[i]);
    }
    for (int i = 0; i < shares.length; i++) {
      shares[i] /= largest;
    }
    nextNanos = nowNanos + Math.max(1, windowNanos / UPDATES);
  }

  /// Shows the set, with weights by the shares.
  private void show() {
    if (weighs) {
      inner.show(backends, scaled(), Members.all(backends.size()));
    } else {
      inner.update(backends);
    }
  }

  /// The backends with the weights that an algorithm by weights sees. The scale is there from the
  /// start, since deadlines and the like of other weights would be out of all proportion.
  private List<Backend> scaled() {
    int heaviest = 1;
    for (int i = 0; i < backends.size(); i++) {
      heaviest = Math.max(heaviest, backends.get(i).weight());
    }
    int scale = Math.clamp(LARGEST / heaviest, 1, SCALE);
    List<Backend> shown = new ArrayList<>(backends.size());
    for (int i = 0; i < backends.size(); i++) {
      Backend backend = backends.get(i);
      long weight = Math.max(1, Math.round(backend.weight() * scale * shares[i]));
      shown.add(new Backend(backend.id(), (int) weight));
    }
    return shown;
  }

  @Override
  public PickResult pick(PickContext context) {
    if (starting) {
      long nowNanos = clock.nanos();
      if (nowNanos >= nextNanos) {
        share(nowNanos);
        if (weighs) {
          show();
        }
      }
    }
    return inner.pick(context);
  }

  @Override
  public void update(BackendSet next) {
    backends = next;
    joined.update(next);
    shares = new double[next.size()];
    share(clock.nanos());
    show();
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    inner.completed(picked, outcome);
  }

  @Override
  public void observe(BackendSignal signal) {
    inner.observe(signal);
  }

  @Override
  public Wants wants() {
    return inner.wants();
  }

  @Override
  public int idleQueueLength() {
    return inner.idleQueueLength();
  }
}
