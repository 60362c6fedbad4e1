package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
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

/// The decorator `outlier-ejection`: hides backends that fail more than others from the inner
/// algorithm for a while. See [OutlierRules].
///
/// Intervals have no timer: the first pick, completion or change of the set after one's end closes
/// it, as of that end, which nobody could have noticed earlier. So the picks can be repeated from
/// their history.
///
/// Cost: O(1) a pick and completion, O(n) an interval. Owner thread: its dispatcher's.
final class OutlierEjection implements LoadBalancer {
  private static final NoBackend ALL_EJECTED = new NoBackend("all backends are ejected");

  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "outlier-ejection",
              "Decorator: counts successes and failures of each backend by intervals, and hides outliers from"
                  + " the algorithm inside for a while, each time longer.",
              List.of(
                  Inner.OF,
                  Parameter.choice(
                      "by",
                      List.of("both", "success-rate", "failures"),
                      "both",
                      "rates far below the mean of all, a share of failures above a threshold, or both"),
                  Parameter.duration("interval", "10s", "after which rates are compared"),
                  Parameter.duration(
                      "base", "30s", "how long an ejection is, times its number in a row"),
                  Parameter.duration("longest", "300s", "an ejection at most; not less than base"),
                  Parameter.percent(
                      "most",
                      0,
                      100,
                      "10%",
                      "of the backends: at so many ejected ones no more are; one may be in any case"),
                  Parameter.decimal(
                      "stdev-factor",
                      0,
                      100,
                      "1.9",
                      "standard deviations below the mean at which a success rate is an outlier's"),
                  Parameter.whole(
                      "rate-enforced", 0, 100, "100", "per cent of such outliers that are ejected"),
                  Parameter.whole(
                      "rate-hosts", 1, 100_000, "5", "backends with rates that there must be"),
                  Parameter.whole(
                      "rate-volume",
                      1,
                      1_000_000,
                      "100",
                      "requests of an interval that make a rate"),
                  Parameter.percent(
                      "failures",
                      0,
                      100,
                      "85%",
                      "share of failures above which a backend is an outlier"),
                  Parameter.whole(
                      "failures-enforced",
                      0,
                      100,
                      "100",
                      "per cent of such outliers that are ejected"),
                  Parameter.whole(
                      "failures-hosts", 1, 100_000, "5", "backends with shares that there must be"),
                  Parameter.whole(
                      "failures-volume",
                      1,
                      1_000_000,
                      "50",
                      "requests of an interval that make a share")),
              "O(1), and that of the algorithm; O(n) an interval, and a draw for each outlier where fewer than"
                  + " 100 per cent are ejected",
              "counts of the interval, who is ejected since when, and how often in a row; survivors keep"
                  + " theirs. The algorithm inside forgets whom it does not see",
              List.of(
                  "gRFC A50 (`outlier_detection`), grpc/proposal commit 00fa54f",
                  "grpc-go `outlierdetection/balancer.go`, commit 0763a14"),
              List.of(
                  "Names differ from A50's: `interval`, `base_ejection_time`, `max_ejection_time`,"
                      + " `max_ejection_percent`; `stdev_factor` in thousandths; `enforcement_percentage`,"
                      + " `minimum_hosts`, `request_volume` of each rule. A50 has no rule unless it is"
                      + " configured, Envoy enforces the first alone; here both are on.",
                  "`failures-hosts` counts backends with enough requests, as gRPC's programs do; A50's text"
                      + " counts all.",
                  "Outliers are ejected in the order of the set; in Go's in that of a map. One that is"
                      + " ejected is not ejected again by what it still had in flight; in Go it is.",
                  "A failure is the backend's: no answer, or one of 500 and above. Requests that the client left"
                      + " or spoilt are not counted; in gRPC every status but OK is a failure.",
                  "An ejection is over at its end; A50's after it, which on its timer is the same."));
        }

        @Override
        public Regard regard(Parameters parameters) {
          return parameters.algorithm("of").regard();
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          return new OutlierEjection(parameters, backends, view, ports);
        }
      };

  private final OutlierRules.Rule rates;
  private final OutlierRules.Rule failures;
  private final long intervalNanos;
  private final long baseNanos;
  private final long longestNanos;
  private final double most;
  private final Ports ports;
  private final PerBackend<History> histories;
  private final Inner inner;
  private BackendSet backends;
  private long nextNanos;
  private int ejected;
  private boolean ignored;

  /// What is known of a backend.
  private static final class History {
    private long successes;
    private long failures;
    private boolean isEjected;
    private long ejectedNanos;

    /// A50's ejection time multiplier.
    private int times;
  }

  private OutlierEjection(Parameters parameters, BackendSet backends, View view, Ports ports) {
    String by = parameters.choice("by");
    this.rates =
        by.equals("failures")
            ? OutlierRules.Rule.OFF
            : rule(parameters, parameters.decimal("stdev-factor"), "rate");
    this.failures =
        by.equals("success-rate")
            ? OutlierRules.Rule.OFF
            : rule(parameters, parameters.decimal("failures"), "failures");
    this.intervalNanos = parameters.nanos("interval");
    this.baseNanos = parameters.nanos("base");
    this.longestNanos = Math.max(baseNanos, parameters.nanos("longest"));
    this.most = parameters.decimal("most");
    this.ports = ports;
    this.backends = backends;
    this.histories = new PerBackend<>(backends, newcomer -> new History());
    this.inner = new Inner(Inner.of(parameters), backends, view, ports);
    this.nextNanos = ports.clock().nanos() + intervalNanos;
  }

  private static OutlierRules.Rule rule(Parameters parameters, double limit, String name) {
    return new OutlierRules.Rule(
        limit,
        parameters.whole(name + "-enforced"),
        parameters.whole(name + "-hosts"),
        parameters.whole(name + "-volume"));
  }

  /// Closes the intervals that are over.
  private void catchUp() {
    long nowNanos = ports.clock().nanos();
    if (nowNanos < nextNanos) {
      return;
    }
    while (nowNanos >= nextNanos && !isQuiet()) {
      // Each change is shown, so that who was away in between is new to the algorithm inside.
      if (close(nextNanos)) {
        show();
      }
      nextNanos += intervalNanos;
    }
    if (nowNanos >= nextNanos) {
      nextNanos += ((nowNanos - nextNanos) / intervalNanos + 1) * intervalNanos;
    }
  }

  /// Whether the end of an interval changes nothing.
  private boolean isQuiet() {
    for (int i = 0; i < histories.size(); i++) {
      History history = histories.get(i);
      if (history.successes + history.failures > 0 || history.times > 0) {
        return false;
      }
    }
    return true;
  }

  /// A50's timer; true if anybody was ejected or came back.
  private boolean close(long endNanos) {
    List<OutlierRules.Count> counts = new ArrayList<>(histories.size());
    for (int i = 0; i < histories.size(); i++) {
      History history = histories.get(i);
      counts.add(new OutlierRules.Count(i, history.successes, history.failures));
      history.successes = 0;
      history.failures = 0;
    }
    int before = ejected;
    eject(OutlierRules.bySuccessRate(counts, rates), rates, endNanos);
    eject(OutlierRules.byFailures(counts, failures), failures, endNanos);
    boolean changed = ejected > before;
    for (int i = 0; i < histories.size(); i++) {
      History history = histories.get(i);
      if (history.isEjected) {
        if (endNanos - history.ejectedNanos >= Math.min(baseNanos * history.times, longestNanos)) {
          history.isEjected = false;
          ejected--;
          changed = true;
        }
      } else if (history.times > 0) {
        history.times--;
      }
    }
    return changed;
  }

  private void eject(List<OutlierRules.Count> outliers, OutlierRules.Rule rule, long endNanos) {
    for (OutlierRules.Count outlier : outliers) {
      if ((double) ejected / histories.size() >= most) {
        return;
      }
      History history = histories.get(outlier.index());
      if (history.isEjected) {
        continue;
      }
      if (rule.enforced() < 100 && ports.random().below(100) >= rule.enforced()) {
        continue;
      }
      ejected++;
      history.isEjected = true;
      history.ejectedNanos = endNanos;
      history.times++;
    }
  }

  private void show() {
    if (ejected == 0 || ignored) {
      inner.update(backends);
      return;
    }
    List<Backend> shown = new ArrayList<>(backends.size());
    int[] indices = new int[backends.size() - ejected];
    for (int i = 0; i < backends.size(); i++) {
      if (!histories.get(i).isEjected) {
        indices[shown.size()] = i;
        shown.add(backends.get(i));
      }
    }
    inner.show(backends, shown, indices);
  }

  /// The share of backends that are not ejected now; 1 for an empty set.
  double available() {
    catchUp();
    int size = backends.size();
    return size == 0 ? 1 : (double) (size - ejected) / size;
  }

  /// Whether ejected backends are shown all the same; ejections go on and end meanwhile.
  void ignore(boolean ejections) {
    if (ignored != ejections) {
      ignored = ejections;
      show();
    }
  }

  @Override
  public PickResult pick(PickContext context) {
    catchUp();
    return ejected == backends.size() && ejected > 0 && !ignored
        ? ALL_EJECTED
        : inner.pick(context);
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    catchUp();
    History history = histories.of(picked);
    if (history != null) {
      history.successes += outcome instanceof Outcome.Succeeded ? 1 : 0;
      history.failures += Failures.ofBackend(outcome) ? 1 : 0;
    }
    inner.completed(picked, outcome);
  }

  @Override
  public void update(BackendSet next) {
    catchUp();
    backends = next;
    histories.update(next);
    ejected = 0;
    for (int i = 0; i < histories.size(); i++) {
      ejected += histories.get(i).isEjected ? 1 : 0;
    }
    show();
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
