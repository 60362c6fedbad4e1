package dev.herdlab.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DispatcherTest {
  private final BackendSet abc = BackendSet.of(OneProxy.named("abc"));
  private final OneProxy proxy = new OneProxy(abc).install("round-robin", "local", 1);

  /// A user's algorithm made of one method.
  private interface Picker {
    PickResult pick(BackendSet backends);
  }

  /// A balancer that hands picking to `picker`, and keeps what it hears and its ports.
  private static final class Recorder implements LoadBalancer {
    private final List<String> heard = new ArrayList<>();
    private final Picker picker;
    private final View view;
    private final Ports ports;
    private BackendSet backends;

    Recorder(BackendSet backends, View view, Ports ports, Picker picker) {
      this.backends = backends;
      this.view = view;
      this.ports = ports;
      this.picker = picker;
    }

    @Override
    public PickResult pick(PickContext context) {
      heard.add("pick at " + ports.clock().nanos());
      return picker.pick(backends);
    }

    @Override
    public void update(BackendSet next) {
      backends = next;
    }

    @Override
    public void completed(Picked picked, Outcome outcome) {
      int left = view.inFlight(picked.index());
      heard.add(
          "%s %s at %d, %d left"
              .formatted(picked.backend().id(), outcome, ports.clock().nanos(), left));
    }

    @Override
    public void observe(BackendSignal signal) {
      heard.add(signal + " at " + ports.clock().nanos());
    }
  }

  /// Installs a recorder and returns it.
  private Recorder install(Picker picker) {
    List<Recorder> made = new ArrayList<>();
    Algorithm algorithm =
        new Algorithm() {
          @Override
          public Description description() {
            return new Description(
                "recorder", "", List.of(), "O(1)", "everything", List.of(), List.of());
          }

          @Override
          public LoadBalancer create(
              Parameters parameters, BackendSet backends, View view, Ports ports) {
            made.add(new Recorder(backends, view, ports, picker));
            return made.getLast();
          }
        };
    Spec spec = Spec.parse("algorithm", "recorder");
    Parameters none = Parameters.bind(spec, List.of(), 1, Algorithms.builtIn());
    proxy.dispatcher.install(
        new ConfiguredAlgorithm("recorder", algorithm, none),
        new ViewSpec.Local(),
        SeededRandom.of(1, "coins", 0),
        (delayNanos, task) -> proxy.timers.add(task),
        index -> {});
    return made.getLast();
  }

  private Recorder installPickingFirst() {
    return install(backends -> new Picked(backends, 0));
  }

  @Test
  void refusesEveryPickUntilAnAlgorithmIsInstalled() {
    OneProxy bare = new OneProxy(abc);

    assertThat(bare.dispatcher.pick(PickContext.PLAIN))
        .isEqualTo(new NoBackend("no algorithm is installed"));
  }

  @Test
  void pickRaisesAndCompletionLowersOwnAndTrueCounts() {
    Picked onA = proxy.pick();
    Picked onB = proxy.pick();

    assertThat(proxy.inFlight()).containsExactly(1, 1, 0);
    assertThat(proxy.truth.total()).isEqualTo(2);
    onA.complete(Outcome.SUCCEEDED);
    assertThat(proxy.inFlight()).containsExactly(0, 1, 0);
    assertThat(proxy.truth.inFlight(0)).isZero();
    onB.complete(Outcome.CANCELLED);
    assertThat(proxy.truth.total()).isZero();
  }

  @Test
  void refusesACopyThatKnowsOfPicksThatWereNotMade() {
    proxy.pick();

    assertThatThrownBy(() -> proxy.dispatcher.refreshView(proxy.truth.snapshot(1, 0), 2))
        .hasMessage("picks included: 2 (expected: 0 to 1)");
  }

  @Test
  void leaseIsNumberedAndStampedAtThePick() {
    proxy.nowNanos = 70;
    proxy.pick();
    proxy.nowNanos = 90;
    Picked second = proxy.pick();

    assertThat(second.sequence()).isEqualTo(1);
    assertThat(second.pickedNanos()).isEqualTo(90);
    assertThat(proxy.dispatcher.picks()).isEqualTo(2);
  }

  @Test
  void leaseThatWasNeverOpenedCannotBeCompleted() {
    assertThatThrownBy(() -> new Picked(abc, 0).complete(Outcome.SUCCEEDED))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("lease: NEW (expected: OPEN)");
  }

  @Test
  void liveSwitchKeepsTheCountsForTheNewBalancer() {
    proxy.pick();
    proxy.pick();
    proxy.install("least-conn(ties=first)", "local", 1);

    assertThat(proxy.pick().backend().id()).isEqualTo("c");
    assertThat(proxy.inFlight()).containsExactly(1, 1, 1);
  }

  @Test
  void completionGoesToTheBalancerThatPickedOnceTheCountIsLowered() {
    Recorder first = installPickingFirst();
    Picked early = proxy.pick();
    Recorder second = installPickingFirst();
    Picked late = proxy.pick();
    proxy.nowNanos = 5;
    early.complete(new Outcome.Failed(FailureKind.RESPONSE_TIMEOUT));
    proxy.nowNanos = 8;
    late.complete(Outcome.SUCCEEDED);

    assertThat(first.heard)
        .containsExactly("pick at 0", "a Failed[kind=RESPONSE_TIMEOUT] at 5, 1 left");
    assertThat(second.heard).containsExactly("pick at 0", "a Succeeded[] at 8, 0 left");
    assertThat(proxy.truth.total()).isZero();
  }

  @Test
  void signalReachesTheBalancer() {
    Recorder recorder = installPickingFirst();
    proxy.nowNanos = 3;
    proxy.dispatcher.observe(new BackendSignal.IdleNotice("b"));

    assertThat(recorder.heard).containsExactly("IdleNotice[backend=b] at 3");
  }

  @Test
  void timerRunsAtTheInstantOfItsFiring() {
    Recorder recorder = installPickingFirst();
    List<Long> fired = new ArrayList<>();
    recorder.ports.timer().schedule(10, () -> fired.add(recorder.ports.clock().nanos()));
    proxy.nowNanos = 12;
    proxy.timers.forEach(Runnable::run);

    assertThat(fired).containsExactly(12L);
  }

  @Test
  void timersOfAReplacedBalancerNoLongerFire() {
    Recorder replaced = installPickingFirst();
    List<String> fired = new ArrayList<>();
    replaced.ports.timer().schedule(10, () -> fired.add("replaced"));
    Recorder current = installPickingFirst();
    current.ports.timer().schedule(10, () -> fired.add("current"));
    proxy.timers.forEach(Runnable::run);

    assertThat(fired).containsExactly("current");
  }

  @Test
  void withoutItsBalancerItRefusesPicksAndFiresNoTimer() {
    Recorder out = installPickingFirst();
    Picked early = proxy.pick();
    List<String> fired = new ArrayList<>();
    out.ports.timer().schedule(10, () -> fired.add("out"));
    proxy.dispatcher.uninstall();
    proxy.timers.forEach(Runnable::run);

    assertThat(fired).isEmpty();
    assertThat(proxy.dispatcher.pick(PickContext.PLAIN)).isInstanceOf(NoBackend.class);
    early.complete(Outcome.CANCELLED);
    assertThat(out.heard).hasSize(2);
    assertThat(proxy.truth.total()).isZero();
  }

  @Test
  void leaseFromAnOlderSetLowersItsBackendWhereItNowStands() {
    Picked onA = proxy.pick();
    proxy.update(abc.next(OneProxy.named("cba")));
    assertThat(proxy.inFlight()).containsExactly(0, 0, 1);

    onA.complete(Outcome.SUCCEEDED);
    assertThat(proxy.inFlight()).containsExactly(0, 0, 0);
  }

  @Test
  void departedBackendCountsUntilItsLeasesEnd() {
    Picked onA = proxy.pick();
    proxy.update(abc.next(OneProxy.named("bc")));
    assertThat(proxy.truth.total()).isEqualTo(1);

    onA.complete(Outcome.SUCCEEDED);
    assertThat(proxy.truth.total()).isZero();
  }

  @Test
  void returningBackendFindsWhatIsStillInFlight() {
    Picked first = proxy.pick();
    proxy.pick();
    proxy.pick();
    Picked second = proxy.pick();
    BackendSet without = abc.next(OneProxy.named("bc"));
    proxy.update(without);
    second.complete(Outcome.SUCCEEDED);
    proxy.update(without.next(OneProxy.named("xa")));

    assertThat(proxy.inFlight()).containsExactly(0, 1);
    first.complete(Outcome.SUCCEEDED);
    assertThat(proxy.inFlight()).containsExactly(0, 0);
    assertThat(proxy.truth.total()).isEqualTo(2); // on b and c, which left
  }

  @Test
  void leaseReturnedTwiceIsRefused() {
    Picked same = new Picked(abc, 0);
    install(backends -> same);
    proxy.pick();

    assertThatThrownBy(proxy::pick).hasMessage("lease: OPEN (expected: NEW)");
    assertThat(proxy.inFlight()).containsExactly(1, 0, 0);
  }

  @Test
  void pickFromAnOldSetIsRefused() {
    install(backends -> new Picked(abc, 0));
    proxy.update(abc.next(OneProxy.named("bc")));

    assertThatThrownBy(proxy::pick)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("picked from another set, version 1 (expected: the dispatcher's, version 2)");
    assertThat(proxy.truth.total()).isZero();
  }

  @Test
  void pickOutsideTheSetIsRefused() {
    install(backends -> new Picked(backends, 3));

    assertThatThrownBy(proxy::pick).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void trueCountsMustBeUpdatedFirst() {
    assertThatThrownBy(() -> proxy.dispatcher.update(abc.next(List.of())))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "true counts: on another set, version 1 (expected: the dispatcher's, version 2)");
  }

  @Test
  void countNeverFallsBelowZero() {
    Counts counts = new Counts(abc);

    assertThatThrownBy(() -> counts.lower(new Picked(abc, 1)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("in flight on b: -1 (expected: >= 0)");
    assertThatThrownBy(() -> counts.lower(new Picked(BackendSet.of(OneProxy.named("z")), 0)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("in flight on z: -1 (expected: >= 0)");
  }
}
