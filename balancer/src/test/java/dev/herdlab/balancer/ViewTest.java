package dev.herdlab.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

/// What each view shows, with two proxies on two backends: least-conn with the first winning ties
/// picks where the view shows least.
final class ViewTest {
  private final BackendSet ab = BackendSet.of(OneProxy.named("ab"));
  private final Counts truth = new Counts(ab);
  private final Dispatcher first = dispatcher(0);
  private final Dispatcher second = dispatcher(1);
  private long snapshots;

  private Dispatcher dispatcher(int proxy) {
    return new Dispatcher(proxy, ab, truth, () -> 0, DispatchListener.NONE);
  }

  private void view(String spec) {
    for (Dispatcher dispatcher : List.of(first, second)) {
      install(dispatcher, spec);
    }
  }

  private static void install(Dispatcher dispatcher, String view) {
    dispatcher.install(
        Algorithms.builtIn().parse("least-conn(ties=first)", 1),
        ViewSpec.parse(view, 1),
        SeededRandom.of(1, "coins", 0),
        (delayNanos, task) -> {},
        index -> {});
  }

  private void refresh(Dispatcher dispatcher) {
    dispatcher.refreshView(truth.snapshot(++snapshots, 0), dispatcher.picks());
  }

  private static Picked pick(Dispatcher dispatcher) {
    return (Picked) dispatcher.pick(PickContext.PLAIN);
  }

  private static String picks(Dispatcher dispatcher, int count) {
    StringBuilder ids = new StringBuilder();
    for (int i = 0; i < count; i++) {
      ids.append(pick(dispatcher).backend().id());
    }
    return ids.toString();
  }

  @Test
  void localShowsOwnRequestsAlone() {
    view("local");

    assertThat(picks(first, 2)).isEqualTo("ab");
    assertThat(picks(second, 2)).isEqualTo("ab");
  }

  @Test
  void sharedShowsEveryonesRequestsAtOnce() {
    view("shared");

    assertThat(picks(first, 1)).isEqualTo("a");
    assertThat(picks(second, 1)).isEqualTo("b");
    Picked third = pick(first);
    assertThat(third.backend().id()).isEqualTo("a");
    third.complete(Outcome.SUCCEEDED);
    assertThat(picks(second, 2)).isEqualTo("ab");
  }

  @Test
  void staleShowsZerosBeforeTheFirstCopy() {
    view("local");
    picks(second, 2);
    pick(second);
    view("shared-stale(refresh=4)");

    assertThat(picks(first, 4)).isEqualTo("aaaa");
  }

  @Test
  void staleShowsTheTrueCountsOfTheLastCopy() {
    view("shared-stale(refresh=4)");
    picks(second, 3);
    refresh(first);

    assertThat(picks(first, 3)).isEqualTo("bbb");
    assertThat(picks(second, 1)).isEqualTo("a"); // has copied nothing itself
    refresh(first); // a 4, b 3
    assertThat(picks(first, 2)).isEqualTo("bb");
    refresh(first); // a 4, b 5
    assertThat(picks(first, 2)).isEqualTo("aa");
  }

  @Test
  void staleDoesNotSeeCompletionsBeforeTheNextCopy() {
    view("shared-stale(refresh=4)");
    Picked onA = pick(second);
    refresh(first);
    onA.complete(Outcome.SUCCEEDED);

    assertThat(picks(first, 1)).isEqualTo("b");
  }

  @Test
  void ownPicksSinceTheCopyAreAdded() {
    view("shared-stale(refresh=4,own=true)");
    Picked onA = pick(first);
    picks(second, 3); // a b a, on copies of zeros and its own
    refresh(first); // a 3, b 1

    assertThat(picks(first, 3)).isEqualTo("bba");
    onA.complete(Outcome.SUCCEEDED); // was in the copy, which does not change
    assertThat(picks(first, 2)).isEqualTo("ba");
  }

  @Test
  void ownPicksThatEndedAreNoLongerAdded() {
    view("shared-stale(refresh=4,own=true)");
    Picked onA = pick(first);
    onA.complete(Outcome.SUCCEEDED);

    assertThat(picks(first, 2)).isEqualTo("ab");
  }

  @Test
  void ownPicksCountOnlyOnceAfterTheNextCopy() {
    view("shared-stale(refresh=4,own=true)");
    picks(first, 1);
    refresh(first); // the pick is in the copy: a 1, b 0

    assertThat(picks(first, 3)).isEqualTo("bab");
  }

  @Test
  void ownPicksThatALateCopyDoesNotKnowOfAreAdded() {
    view("shared-stale(refresh=4,own=true)");
    Picked onA = pick(first);
    Snapshot late = truth.snapshot(7, 0); // a 1, b 0
    Picked onB = pick(first);
    Picked onAAgain = pick(first);
    first.refreshView(late, 1);

    // The copy's a 1, and of the later picks one on each: a 2, b 1.
    assertThat(picks(first, 1)).isEqualTo("b");
    onAAgain.complete(Outcome.SUCCEEDED); // a 1, b 2
    onB.complete(Outcome.SUCCEEDED); // a 1, b 1
    onA.complete(Outcome.SUCCEEDED); // was in the copy
    assertThat(picks(first, 3)).isEqualTo("aba");
  }

  @Test
  void aLateCopyOfAnotherSetIsMappedByTheBackendsNames() {
    view("shared-stale(refresh=4)");
    BackendSet others = BackendSet.of(OneProxy.named("xba"));
    first.refreshView(new Snapshot(3, others, new int[] {9, 0, 5}, 0), 0);

    assertThat(picks(first, 1)).isEqualTo("b");
  }

  @Test
  void othersPicksAreNotAdded() {
    view("shared-stale(refresh=4,own=true)");
    picks(second, 1);

    assertThat(picks(first, 1)).isEqualTo("a");
  }

  @Test
  void leasesOfAnEarlierViewAreNotTakenForOwnPicks() {
    view("local");
    Picked early = pick(first);
    install(first, "shared-stale(refresh=4,own=true)");
    assertThat(picks(first, 1)).isEqualTo("a");
    early.complete(Outcome.SUCCEEDED); // a must stay at 1: the view never counted this one

    assertThat(picks(first, 1)).isEqualTo("b");
  }

  @Test
  void copyAndOwnPicksMoveWithTheirBackends() {
    view("shared-stale(refresh=4,own=true)");
    picks(second, 2);
    pick(second);
    refresh(first); // a 2, b 1
    Picked onB = pick(first); // b 2 with it
    BackendSet cba = ab.next(OneProxy.named("cba"));
    truth.update(cba);
    first.update(cba);

    assertThat(picks(first, 3)).isEqualTo("ccc"); // c 3 now, b 2, a 2
    onB.complete(Outcome.SUCCEEDED);
    assertThat(picks(first, 3)).isEqualTo("bba");
  }

  @Test
  void backendThatReturnsKeepsOwnPicksApartFromNewOnes() {
    view("shared-stale(refresh=4,own=true)");
    Picked early = pick(first); // on a
    BackendSet b = ab.next(OneProxy.named("b"));
    truth.update(b);
    first.update(b);
    BackendSet back = b.next(OneProxy.named("ab"));
    truth.update(back);
    first.update(back);

    assertThat(picks(first, 3)).isEqualTo("bab"); // the early one is counted still: a 1
    early.complete(Outcome.SUCCEEDED);
    assertThat(picks(first, 2)).isEqualTo("aa");
  }

  @Test
  void staleViewTellsTheAgeAndNumberOfItsCopies() {
    ViewSpec.SharedStale spec =
        new ViewSpec.SharedStale(40, ViewSpec.OwnPicks.IGNORED, ViewSpec.Phase.SYNC);
    StaleView view = new StaleView(ab, new OpenLeases(), new Counts(ab), spec, 0);
    assertThat(view.ageNanos(1_000)).isZero();
    assertThat(view.copies()).isZero();
    view.refresh(truth.snapshot(1, 30), 0);
    view.refresh(truth.snapshot(2, 70), 0);

    assertThat(view.copies()).isEqualTo(2);
    assertThat(view.ageNanos(95)).isEqualTo(25);
    assertThat(view.refreshNanos()).isEqualTo(40);
    assertThat(new FreshView(truth, truth).ageNanos(95)).isZero();
    assertThat(new FreshView(truth, truth).refreshNanos()).isZero();
  }
}
