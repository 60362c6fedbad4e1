package dev.herdlab.lab.conduct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PhaseRequestsTest {
  /// Requests sent when intended and answered 5 later; those whose number is in `unsent` were not.
  private static PhaseRequests sent(long[] intended, int proxy, Integer... unsent) {
    int[] proxies = new int[intended.length];
    long[] service = new long[intended.length];
    List<RunLog.Entry> entries = new ArrayList<>();
    for (int i = 0; i < intended.length; i++) {
      proxies[i] = proxy;
      service[i] = 100 + intended[i];
      if (!List.of(unsent).contains(i)) {
        RunLog.Attempt attempt =
            new RunLog.Attempt("b0", proxy, intended[i] + 1, -1, -1, -1, -1, -1, -1, -1);
        entries.add(new RunLog.Entry(i, intended[i], intended[i] + 5, RunLog.OK, List.of(attempt)));
      }
    }
    return new PhaseRequests(Trace.of(proxy + 1, intended, proxies, service), new RunLog(entries));
  }

  @Test
  void severalGeneratorsRequestsStandInTheOrderOfTheirInstants() {
    PhaseRequests merged =
        PhaseRequests.merge(
            List.of(sent(new long[] {10, 30}, 0), sent(new long[] {20, 30, 40}, 1)));

    assertThat(merged.trace().size()).isEqualTo(5);
    assertThat(merged.trace().intendedNanos(1)).isEqualTo(20);
    assertThat(merged.trace().proxy(1)).isEqualTo(1);
    assertThat(merged.trace().serviceNanos(1)).isEqualTo(120);
    assertThat(merged.trace().proxy(2)).isZero();
    assertThat(merged.trace().proxy(3)).isEqualTo(1);
    assertThat(merged.run().entries())
        .extracting(RunLog.Entry::request)
        .containsExactly(0, 1, 2, 3, 4);
    assertThat(merged.run().entries().get(4).doneNanos()).isEqualTo(45);
  }

  @Test
  void aRequestThatWasNotSentIsInNeitherResult() {
    PhaseRequests merged = PhaseRequests.merge(List.of(sent(new long[] {10, 30, 50}, 0, 1)));

    assertThat(merged.trace().size()).isEqualTo(2);
    assertThat(merged.trace().intendedNanos(1)).isEqualTo(50);
    assertThat(merged.run().entries()).hasSize(2);
  }

  @Test
  void aPhaseBehindAnotherCountsFromThatOnesEpoch() {
    PhaseRequests before = sent(new long[] {10, 20}, 0);
    PhaseRequests window = sent(new long[] {3, 7}, 1).after(before, 1000);

    assertThat(window.trace().size()).isEqualTo(4);
    assertThat(window.trace().intendedNanos(2)).isEqualTo(1003);
    RunLog.Entry moved = window.run().entries().get(3);
    assertThat(moved.sentNanos()).isEqualTo(1007);
    assertThat(moved.doneNanos()).isEqualTo(1012);
    assertThat(moved.last().proxyReceivedNanos()).isEqualTo(1008);
    assertThat(moved.last().pickedNanos()).as("what was not seen stays unseen").isEqualTo(-1);
  }
}
