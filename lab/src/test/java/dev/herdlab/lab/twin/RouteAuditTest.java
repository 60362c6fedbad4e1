package dev.herdlab.lab.twin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.workload.RunLog;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class RouteAuditTest {
  private static final Measurement RUN = SyntheticRun.of("p2c", "local", 4, 9);

  private static RouteAudit audit(Measurement run) {
    return RouteAudit.of(run, Switches.of(run));
  }

  @Test
  void everyRequestWasServedWhereItWasSent() {
    assertThat(audit(RUN)).isEqualTo(new RouteAudit(3000, 0, 0, Optional.empty()));
  }

  @Test
  void aRequestThatWentElsewhereIsFound() {
    RouteAudit audit =
        audit(
            SyntheticRun.with(
                RUN,
                entry ->
                    entry.request() == 1500
                        ? attemptAt(entry, entry.last().backend().equals("b3") ? "b4" : "b3")
                        : entry));

    assertThat(audit.different()).isEqualTo(1);
    assertThat(audit.first().orElseThrow())
        .matches("request 1500 at proxy \\d, picked b\\d and served by b[34]");
  }

  @Test
  void aProxyWithALostResponseIsNotComparedButSaid() {
    int proxy = RUN.trace().proxy(1500);
    RouteAudit audit =
        audit(
            SyntheticRun.with(
                RUN,
                entry ->
                    entry.request() == 1500
                        ? new RunLog.Entry(1500, entry.sentNanos(), -1, "client-timeout", List.of())
                        : entry));

    long others = 0;
    for (int i = 0; i < 3000; i++) {
      others += RUN.trace().proxy(i) == proxy ? 0 : 1;
    }
    assertThat(audit).isEqualTo(new RouteAudit(others, 0, 1, Optional.empty()));
  }

  private static RunLog.Entry attemptAt(RunLog.Entry entry, String backend) {
    RunLog.Attempt a = entry.last();
    return new RunLog.Entry(
        entry.request(),
        entry.sentNanos(),
        entry.doneNanos(),
        entry.outcome(),
        List.of(
            new RunLog.Attempt(
                backend,
                a.proxy(),
                a.proxyReceivedNanos(),
                a.pickedNanos(),
                a.forwardedNanos(),
                a.backendReceivedNanos(),
                a.startNanos(),
                a.finishNanos(),
                a.deliveredNanos(),
                a.returnedNanos())));
  }
}
