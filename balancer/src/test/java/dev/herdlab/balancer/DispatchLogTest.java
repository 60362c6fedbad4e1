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
    Counts truth = new Counts(backends);
    Dispatcher dispatcher = dispatcher(3, backends, truth);
    nowNanos = 10;
    dispatcher.pick(new PickContext(-5));
    install(dispatcher, "round-robin", "local", 3);
    Picked first = (Picked) dispatcher.pick(new PickContext(Long.MIN_VALUE));
    nowNanos = 20;
    Picked second = (Picked) dispatcher.pick(new PickContext(7));
    Picked third = (Picked) dispatcher.pick(PickContext.PLAIN);
    dispatcher.refreshView(truth.snapshot(6, 19), 2);
    nowNanos = 30;
    second.complete(Outcome.SUCCEEDED);
    first.complete(Outcome.CANCELLED);
    third.complete(new Outcome.Failed(FailureKind.BACKEND_CLOSED));

    int closed = List.of(FailureKind.values()).indexOf(FailureKind.BACKEND_CLOSED);
    assertThat(events(log))
        .containsExactly(
            new Event(DispatchLog.Kind.REFUSAL, 3, 0, -5, 10),
            new Event(DispatchLog.Kind.INSTALL, 3, 0, 0, 10),
            new Event(DispatchLog.Kind.PICK, 3, 0, Long.MIN_VALUE, 10),
            new Event(DispatchLog.Kind.PICK, 3, 1, 7, 20),
            new Event(DispatchLog.Kind.PICK, 3, 0, 0, 20),
            new Event(DispatchLog.Kind.SNAPSHOT, 3, 2, 6, 19),
            new Event(DispatchLog.Kind.COUNT, 3, 0, 2, 19),
            new Event(DispatchLog.Kind.COUNT, 3, 1, 1, 19),
            new Event(DispatchLog.Kind.REFRESH, 3, 1, 6, 20),
            new Event(DispatchLog.Kind.SUCCESS, 3, 0, 1, 30),
            new Event(DispatchLog.Kind.CANCELLATION, 3, 0, 0, 30),
            new Event(DispatchLog.Kind.FAILURE, 3, closed, 2, 30));
  }

  @Test
  void aCopyIsLoggedOnceHoweverManyTakeIt() {
    BackendSet backends = BackendSet.ofSize(3);
    Counts truth = new Counts(backends);
    Dispatcher first = dispatcher(1, backends, truth);
    Dispatcher second = dispatcher(2, backends, truth);
    install(first, "round-robin", "shared-stale(refresh=1)", 1);
    install(second, "round-robin", "shared-stale(refresh=1)", 2);
    first.pick(PickContext.PLAIN);
    second.pick(PickContext.PLAIN);
    log.clear();
    Snapshot copy = truth.snapshot(8, 40);
    nowNanos = 50;
    first.refreshView(copy, 1);
    second.refreshView(copy, 0);
    first.refreshView(truth.snapshot(9, 50), 1);

    assertThat(events(log))
        .containsExactly(
            new Event(DispatchLog.Kind.SNAPSHOT, 1, 1, 8, 40),
            new Event(DispatchLog.Kind.COUNT, 1, 0, 2, 40),
            new Event(DispatchLog.Kind.REFRESH, 1, 0, 8, 50),
            new Event(DispatchLog.Kind.REFRESH, 2, 1, 8, 50),
            new Event(DispatchLog.Kind.SNAPSHOT, 1, 1, 9, 50),
            new Event(DispatchLog.Kind.COUNT, 1, 0, 2, 50),
            new Event(DispatchLog.Kind.REFRESH, 1, 0, 9, 50));
    // What follows an installation stands alone, and so does what is in an emptied log.
    log.clear();
    second.refreshView(copy, 1);
    install(second, "round-robin", "shared-stale(refresh=1)", 2);
    second.refreshView(copy, 1);
    assertThat(events(log).stream().filter(e -> e.kind() == DispatchLog.Kind.SNAPSHOT)).hasSize(2);
    log.clear();
    second.refreshView(copy, 1);
    second.refreshView(copy, 1);
    assertThat(events(log)).hasSize(4);
  }

  @Test
  void anInstallationSaysWhatIsInFlightAndAChangeOfTheSetWhichItIs() {
    BackendSet backends = BackendSet.of(OneProxy.named("abc"));
    Counts truth = new Counts(backends);
    Dispatcher dispatcher = dispatcher(4, backends, truth);
    install(dispatcher, "round-robin", "local", 4);
    Picked onA = (Picked) dispatcher.pick(PickContext.PLAIN);
    Picked onB = (Picked) dispatcher.pick(PickContext.PLAIN);
    dispatcher.pick(PickContext.PLAIN);
    onB.complete(Outcome.SUCCEEDED);
    BackendSet next = backends.next(OneProxy.named("xc"));
    truth.update(next);
    log.clear();
    nowNanos = 60;
    dispatcher.update(next);
    install(dispatcher, "random", "local", 4);
    onA.complete(Outcome.SUCCEEDED);

    assertThat(events(log))
        .containsExactly(
            new Event(DispatchLog.Kind.UPDATE, 4, 0, 2, 60),
            new Event(DispatchLog.Kind.INSTALL, 4, 0, 0, 60),
            new Event(DispatchLog.Kind.LEASE, 4, -1, 0, 60),
            new Event(DispatchLog.Kind.LEASE, 4, 1, 2, 60),
            new Event(DispatchLog.Kind.SUCCESS, 4, 0, 0, 60));
  }

  @Test
  void whatBackendsSayIsKeptToTheLastBit() {
    BackendSet backends = BackendSet.of(OneProxy.named("abc"));
    Dispatcher dispatcher = dispatcher(2, backends, new Counts(backends));
    nowNanos = 70;
    dispatcher.observe(new BackendSignal.ProbeReply("b", 5, 1_234));
    dispatcher.observe(new BackendSignal.IdleNotice("c"));
    dispatcher.observe(new BackendSignal.LoadReport("a", 3, 0.1, 79.9, 1e-300));
    dispatcher.observe(new BackendSignal.IdleNotice("gone"));

    assertThat(events(log))
        .containsExactly(
            new Event(DispatchLog.Kind.NUMBER, 2, 0, 1_234, 70),
            new Event(DispatchLog.Kind.PROBE_REPLY, 2, 1, 5, 70),
            new Event(DispatchLog.Kind.IDLE, 2, 2, 0, 70),
            new Event(DispatchLog.Kind.NUMBER, 2, 0, Double.doubleToRawLongBits(0.1), 70),
            new Event(DispatchLog.Kind.NUMBER, 2, 0, Double.doubleToRawLongBits(79.9), 70),
            new Event(DispatchLog.Kind.NUMBER, 2, 0, Double.doubleToRawLongBits(1e-300), 70),
            new Event(DispatchLog.Kind.REPORT, 2, 0, 3, 70),
            new Event(DispatchLog.Kind.IDLE, 2, -1, 0, 70));
  }

  @Test
  void theCookieOfAPickStandsInFrontOfIt() {
    BackendSet backends = BackendSet.of(OneProxy.named("abc"));
    Dispatcher dispatcher = dispatcher(2, backends, new Counts(backends));
    install(dispatcher, "round-robin", "local", 2);
    log.clear();
    dispatcher.pick(new PickContext(9, "c"));
    dispatcher.pick(new PickContext(9, "gone"));
    dispatcher.pick(new PickContext(9));

    assertThat(events(log))
        .containsExactly(
            new Event(DispatchLog.Kind.PINNED, 2, 2, 0, 0),
            new Event(DispatchLog.Kind.PICK, 2, 0, 9, 0),
            new Event(DispatchLog.Kind.PINNED, 2, -1, 0, 0),
            new Event(DispatchLog.Kind.PICK, 2, 1, 9, 0),
            new Event(DispatchLog.Kind.PICK, 2, 2, 9, 0));
  }

  @Test
  void mergedLogsKeepAReportsNumbersTogether() {
    Event number = new Event(DispatchLog.Kind.NUMBER, 1, 0, 9, 10);
    Event reply = new Event(DispatchLog.Kind.PROBE_REPLY, 1, 0, 2, 10);
    Event pick = new Event(DispatchLog.Kind.PICK, 0, 1, 0, 10);

    // The pick of the first log has the same instant, and would go in between.
    DispatchLog merged =
        DispatchLog.merge(
            List.of(logOf(pick, pick), logOf(number, reply, number, reply), logOf(pick)));

    assertThat(events(merged)).containsExactly(pick, pick, number, reply, number, reply, pick);
  }

  private static DispatchLog logOf(Event... events) {
    DispatchLog log = new DispatchLog(0);
    for (Event e : events) {
      log.append(e.kind(), e.proxy(), e.value(), e.argument(), e.nanos());
    }
    return log;
  }

  @Test
  void logsOfSeveralProcessesBecomeOneInOrderOfTime() {
    Event pick0 = new Event(DispatchLog.Kind.PICK, 0, 3, 0, 10);
    Event copy0 = new Event(DispatchLog.Kind.SNAPSHOT, 0, 1, 7, 4);
    Event count0 = new Event(DispatchLog.Kind.COUNT, 0, 2, 5, 4);
    Event refresh0 = new Event(DispatchLog.Kind.REFRESH, 0, 0, 7, 20);
    Event pick1 = new Event(DispatchLog.Kind.PICK, 1, 1, 0, 10);
    Event late1 = new Event(DispatchLog.Kind.SUCCESS, 1, 0, 0, 20);

    DispatchLog merged =
        DispatchLog.merge(
            List.of(
                logOf(pick0, copy0, count0, refresh0), new DispatchLog(5), logOf(pick1, late1)));

    // The copy was true at 4, and is told of where it was taken.
    assertThat(events(merged)).containsExactly(pick0, pick1, copy0, count0, refresh0, late1);
    assertThat(events(DispatchLog.merge(List.of()))).isEmpty();
  }

  @Test
  void anotherClocksInstantsAreShifted() {
    DispatchLog log =
        logOf(
            new Event(DispatchLog.Kind.SNAPSHOT, 0, 0, 7, 4),
            new Event(DispatchLog.Kind.PICK, 1, -1, -9, 12));

    assertThat(events(log.shifted(-5)))
        .containsExactly(
            new Event(DispatchLog.Kind.SNAPSHOT, 0, 0, 7, -1),
            new Event(DispatchLog.Kind.PICK, 1, -1, -9, 7));
    assertThat(events(log).getFirst().nanos()).isEqualTo(4);
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
        dispatcher.refreshView(truth.snapshot(i, nowNanos), dispatcher.picks());
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
            case REFUSAL, WAIT -> dispatcher.pick(new PickContext(argument));
            case SUCCESS, FAILURE, CANCELLATION ->
                open.get(proxy).remove(argument).complete(DispatchLog.outcome(kind, value));
            case REFRESH ->
                dispatcher.refreshView(truth.snapshot(argument, nanos), dispatcher.picks() - value);
            case INSTALL -> install(dispatcher, "p2c(ties=random)", view, proxy);
            case LEASE, SNAPSHOT, COUNT, UPDATE, PINNED, NUMBER, PROBE_REPLY, IDLE, REPORT -> {}
            case RETRY, HEDGE, OVER_BUDGET -> {}
          }
        });
    return again;
  }
}
