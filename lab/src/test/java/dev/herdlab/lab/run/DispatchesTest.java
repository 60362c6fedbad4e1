package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.DispatchLog.Kind;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Snapshot;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// Records of dispatches: bounded in a process, and merged over several.
final class DispatchesTest {
  private static final BackendSet BACKENDS =
      BackendSet.of(List.of(Backend.of("a"), Backend.of("b"), Backend.of("c")));

  private static List<String> events(DispatchLog log) {
    List<String> events = new ArrayList<>();
    log.forEach(
        (kind, proxy, value, argument, nanos) ->
            events.add(kind + " " + proxy + " " + argument + " " + nanos));
    return events;
  }

  private static Dispatches of(DispatchLog log) {
    return new Dispatches(log, 1, false);
  }

  @Test
  void recordsOfSeveralProcessesAreMergedByTheirInstants() {
    DispatchLog one = new DispatchLog(3);
    one.append(Kind.PICK, 0, 0, 1, 10);
    one.append(Kind.SUCCESS, 0, 0, 1, 30);
    DispatchLog two = new DispatchLog(3);
    two.append(Kind.PICK, 5, 0, 2, 5);
    two.append(Kind.PICK, 5, 0, 3, 20);
    two.append(Kind.SUCCESS, 5, 0, 4, 30);

    Dispatches merged = Dispatches.merge(List.of(of(one), new Dispatches(two, 2, true)));

    assertThat(events(merged.log()))
        .containsExactly(
            "PICK 5 2 5", "PICK 0 1 10", "PICK 5 3 20", "SUCCESS 0 1 30", "SUCCESS 5 4 30");
    assertThat(merged.inFlight()).isEqualTo(3);
    assertThat(merged.truncated()).isTrue();
  }

  @Test
  void copyStaysInFrontOfItsRefreshThoughItWasTrueBefore() {
    DispatchLog one = new DispatchLog(9);
    one.append(Kind.PICK, 0, 0, 1, 10);
    one.append(Kind.SNAPSHOT, 0, 1, 7, 4);
    one.append(Kind.COUNT, 0, 2, 9, 4);
    one.append(Kind.REFRESH, 0, 0, 7, 20);
    DispatchLog two = new DispatchLog(9);
    two.append(Kind.PICK, 5, 0, 2, 15);
    two.append(Kind.SNAPSHOT, 5, 1, 7, 4);
    two.append(Kind.COUNT, 5, 2, 9, 4);
    two.append(Kind.REFRESH, 5, 0, 7, 20);

    assertThat(events(Dispatches.merge(List.of(of(two), of(one))).log()))
        .containsExactly(
            "PICK 0 1 10",
            "PICK 5 2 15",
            "SNAPSHOT 5 7 4",
            "COUNT 5 9 4",
            "REFRESH 5 7 20",
            "SNAPSHOT 0 7 4",
            "COUNT 0 9 4",
            "REFRESH 0 7 20");
  }

  @Test
  void nothingMergedIsNothing() {
    assertThat(Dispatches.merge(List.of()).log().size()).isZero();
  }

  @Test
  void recordTakesNoHalfOfACopyAndNothingAfterIt() {
    DispatchRecorder recorder = new DispatchRecorder();
    recorder.begin(new DispatchRecorder.Tape(6));
    recorder.refused(0, PickContext.PLAIN, 1);
    recorder.refused(0, PickContext.PLAIN, 2);

    // Needs room for itself, three counts and the refresh.
    recorder.refreshed(0, new Snapshot(1, BACKENDS, new int[] {1, 1, 1}, 3), 0, 3);
    recorder.refused(0, PickContext.PLAIN, 4);

    assertThat(recorder.current().filled()).isEqualTo(new DispatchRecorder.Filled(2, 6, true));
  }

  @Test
  void recordThatIsUndoneLeavesTheOthersAsTheyWere() {
    DispatchRecorder recorder = new DispatchRecorder();
    recorder.begin(new DispatchRecorder.Tape(1));
    recorder.begin(new DispatchRecorder.Tape(2));
    DispatchRecorder.Tape before = recorder.previous();
    DispatchRecorder.Tape current = recorder.current();

    recorder.begin(new DispatchRecorder.Tape(3));
    recorder.undo(before);

    assertThat(recorder.current()).isSameAs(current);
    assertThat(recorder.previous()).isSameAs(before);
  }
}
