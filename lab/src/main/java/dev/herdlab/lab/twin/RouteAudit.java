package dev.herdlab.lab.twin;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.workload.RunLog;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The audit of the forwarding: at each proxy, in the order of the picks, the backend that stamped
/// the response must be the one that the dispatcher logged. Owner thread: any (immutable).
///
/// A pick whose response never came back has no stamp to compare. So a proxy's picks are compared
/// only when all of them have one; the others' number is given. Compared is what was picked since
/// the proxy's switch, as long as all picks are of the trace's requests.
///
/// @param compared picks compared
/// @param different picks that went elsewhere
/// @param unstamped picks of the proxies that could not be compared, less the stamps that they have
/// @param first what the first difference is
record RouteAudit(long compared, long different, long unstamped, Optional<String> first) {

  /// One attempt, and its request for ties.
  private record Stamped(int request, RunLog.Attempt attempt) {}

  private static final Comparator<Stamped> BY_PICK =
      Comparator.comparingLong((Stamped stamped) -> stamped.attempt().pickedNanos())
          .thenComparingInt(Stamped::request);

  /// Compares the two records. O(n log n).
  static RouteAudit of(Measurement measurement, Switches switches) {
    int proxies = measurement.plan().proxies();
    BackendSet backends = measurement.backends();
    List<List<Stamped>> stamped = new ArrayList<>();
    for (int p = 0; p < proxies; p++) {
      stamped.add(new ArrayList<>());
    }
    for (RunLog.Entry entry : measurement.run().entries()) {
      for (RunLog.Attempt attempt : entry.attempts()) {
        int proxy = attempt.proxy();
        if (attempt.pickedNanos() >= 0
            && proxy >= 0
            && proxy < proxies
            && attempt.pickedNanos() >= switches.nanos().get(proxy)) {
          stamped.get(proxy).add(new Stamped(entry.request(), attempt));
        }
      }
    }
    List<int[]> picks = PickSequences.measured(measurement, switches);
    long compared = 0;
    long different = 0;
    long unstamped = 0;
    Optional<String> first = Optional.empty();
    for (int p = 0; p < proxies; p++) {
      List<Stamped> here = stamped.get(p);
      int[] logged = picks.get(p);
      boolean more = here.size() > logged.length && !PickSequences.mayBeCutShort(measurement);
      if (here.size() < logged.length || more) {
        unstamped += Math.abs(logged.length - here.size());
        continue;
      }
      here.sort(BY_PICK);
      for (int i = 0; i < logged.length; i++) {
        compared++;
        String backend = here.get(i).attempt().backend();
        if (backends.indexOf(backend) != logged[i]) {
          different++;
          if (first.isEmpty()) {
            first =
                Optional.of(
                    "request "
                        + here.get(i).request()
                        + " at proxy "
                        + p
                        + ", picked "
                        + backends.get(logged[i]).id()
                        + " and served by "
                        + backend);
          }
        }
      }
    }
    return new RouteAudit(compared, different, unstamped, first);
  }
}
