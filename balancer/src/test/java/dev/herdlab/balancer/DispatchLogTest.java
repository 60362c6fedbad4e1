package dev.herdlab.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DispatchLogTest {
  private record Event(DispatchLog.Kind kind, int proxy, int value, long argument, long nanos) {}

  private final DispatchLog log = new DispatchLog(0);
  private long nowNanos;

  private static List<Event> events(DispatchLog log) {
    List<Event> events = new ArrayList<>();
    log.forEach(
        (kind, proxy, value, argument, nanos) ->
            events.add(new Event(kind, proxy, value, argument, nanos)));
    return events;
  }

  private Dispatcher dispatcher(int proxy, BackendSet backends, Counts truth) {
    return new Dispatcher(proxy, backends, truth, () -> nowNanos, log);
  }

  private static void install(Dispatcher dispatcher, String algorithm, String view, int proxy) {
    dispatcher.install(
        Algorithms.builtIn().parse(algorithm, 1),
        ViewSpec.parse(view, 1),
        SeededRandom.of(9, "coins", proxy),
        (delayNanos, task) -> {},
        index -> {});
  }

  @Test
  void keepsEveryKindOfEventInOrder() {
    BackendSet backends = BackendSet.ofSize(2);
    Dispatcher dispatcher = dispatcher(3, backends, new Counts(backends));
    nowNanos = 10;
    dispatcher.pick(new PickContext(-5));
    install(dispatcher, "round-robin", "local", 3);
    Picked first = (Picked) dispatcher.pick(new PickContext(Long.MIN_VALUE));
    nowNanos = 20;
    Picked second = (Picked) dispatcher.pick(new PickContext(7));
    Picked third = (Picked) dispatcher.pick(PickContext.PLAIN);
    dispatcher.refreshView();
    nowNanos = 30;
    second.complete(Outcome.SUCCEEDED);
    first.complete(Outcome.CANCELLED);
    third.complete(new Outcome.Failed(FailureKind.BACKEND_CLOSED));

    int closed = List.of(FailureKind.values()).indexOf(FailureKind.BACKEND_CLOSED);
    assertThat(events(log))
        .containsExactly(
            new Event(DispatchLog.Kind.REFUSAL, 3, 0, -5, 10),
            new Event(DispatchLog.Kind.PICK, 3, 0, Long.MIN_VALUE, 10),
            new Event(DispatchLog.Kind.PICK, 3, 1, 7, 20),
            new Event(DispatchLog.Kind.PICK, 3, 0, 0, 20),
            new Event(DispatchLog.Kind.REFRESH, 3, 0, 0, 20),
            new Event(DispatchLog.Kind.SUCCESS, 3, 0, 1, 30),
            new Event(DispatchLog.Kind.CANCELLATION, 3, 0, 0, 30),
            new Event(DispatchLog.Kind.FAILURE, 3, closed, 2, 30));
  }

  @ParameterizedTest
  @EnumSource
  void failureIsReadBackAsItsKind(FailureKind failure) {
    BackendSet backends = BackendSet.ofSize(1);
    Dispatcher dispatcher = dispatcher(0, backends, new Counts(backends));
    install(dispatcher, "random", "local", 0);
    Outcome outcome = new Outcome.Failed(failure);
    ((Picked) dispatcher.pick(PickContext.PLAIN)).complete(outcome);

    Event end = events(log).getLast();
    assertThat(DispatchLog.outcome(end.kind(), end.value())).isEqualTo(outcome);
  }

  @Test
  void onlyCompletionsStandForOutcomes() {
    assertThat(DispatchLog.outcome(DispatchLog.Kind.SUCCESS, 0)).isEqualTo(Outcome.SUCCEEDED);
    assertThat(DispatchLog.outcome(DispatchLog.Kind.CANCELLATION, 0)).isEqualTo(Outcome.CANCELLED);
    assertThatThrownBy(() -> DispatchLog.outcome(DispatchLog.Kind.PICK, 0))
        .hasMessage("event: PICK (expected: a completion)");
  }

  @Test
  void growsAndKeepsExtremes() {
    List<Event> all = new ArrayList<>();
    for (DispatchLog.Kind kind : DispatchLog.Kind.values()) {
      for (int proxy : new int[] {0, 1, 63, (1 << 24) - 1}) {
        for (int value : new int[] {0, 1, Integer.MAX_VALUE, -1}) {
          all.add(new Event(kind, proxy, value, Long.MIN_VALUE, Long.MAX_VALUE));
          all.add(new Event(kind, proxy, value, -1, -1));
        }
      }
    }
    all.forEach(e -> log.append(e.kind(), e.proxy(), e.value(), e.argument(), e.nanos()));

    assertThat(log.size()).isEqualTo(all.size());
    assertThat(events(log)).isEqualTo(all);
    log.clear();
    assertThat(log.size()).isZero();
    assertThat(events(log)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"local", "shared", "shared-stale(refresh=1)", "shared-stale(refresh=1,own=true)"})
  void isEnoughToMakeTheSamePicksAgain(String view) {
    makeHistory(view);

    DispatchLog again = replay(view);
    assertThat(log.size()).isGreaterThan(5_000);
    assertThat(events(again)).isEqualTo(events(log));
  }

  private void makeHistory(String view) {
    BackendSet backends = BackendSet.ofSize(5);
    Counts truth = new Counts(backends);
    List<Dispatcher> dispatchers = new ArrayList<>();
    for (int p = 0; p < 3; p++) {
      dispatchers.add(dispatcher(p, backends, truth));
      install(dispatchers.get(p), "p2c(ties=random)", view, p);
    }
    Deque<Picked> open = new ArrayDeque<>();
    SeededRandom random = SeededRandom.of(4, "history", 0);
    for (int i = 0; i < 3_000; i++) {
      nowNanos += random.below(1_000);
      Dispatcher dispatcher = dispatchers.get(random.below(3));
      open.add((Picked) dispatcher.pick(PickContext.PLAIN));
      if (random.below(10) == 0) {
        dispatcher.refreshView();
      }
      if (open.size() > 20) {
        (random.below(2) == 0 ? open.removeFirst() : open.removeLast()).complete(Outcome.SUCCEEDED);
      }
    }
  }

  /// The events of the log, made to happen to fresh dispatchers: only picks are decided anew.
  private DispatchLog replay(String view) {
    DispatchLog again = new DispatchLog(log.size());
    BackendSet backends = BackendSet.ofSize(5);
    Counts truth = new Counts(backends);
    List<Dispatcher> dispatchers = new ArrayList<>();
    List<Map<Long, Picked>> open = new ArrayList<>();
    for (int p = 0; p < 3; p++) {
      dispatchers.add(new Dispatcher(p, backends, truth, () -> nowNanos, again));
      install(dispatchers.get(p), "p2c(ties=random)", view, p);
      open.add(new HashMap<>());
    }
    log.forEach(
        (kind, proxy, value, argument, nanos) -> {
          nowNanos = nanos;
          Dispatcher dispatcher = dispatchers.get(proxy);
          switch (kind) {
            case PICK -> {
              Picked picked = (Picked) dispatcher.pick(new PickContext(argument));
              open.get(proxy).put(picked.sequence(), picked);
            }
            case REFUSAL -> dispatcher.pick(new PickContext(argument));
            case SUCCESS, FAILURE, CANCELLATION ->
                open.get(proxy).remove(argument).complete(DispatchLog.outcome(kind, value));
            case REFRESH -> dispatcher.refreshView();
          }
        });
    return again;
  }
}
