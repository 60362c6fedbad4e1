package dev.herdlab.lab.twin;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.workload.FifoServer;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// The replay: the measured backends, served by ideal queues. What a measured latency has above it
/// is the cost of reality: sockets, timers, scheduling.
///
/// Which attempts enter: every one that reached a backend, failed ones too, since they kept the
/// server busy. That is told by the backend's stamp; the last attempt of a request that succeeded
/// needs none. An attempt whose response was lost shows no stamp and cannot enter: one more reason
/// why a run with failures is not valid.
///
/// When they arrive: a first attempt at its request's intended (or sent) instant, a later one as
/// long after it as it was picked after the first. Order of service: that of these instants, then
/// of the requests' numbers; not the order in which sockets happened to deliver.
///
/// Owner thread: any (no state).
final class AttemptReplay {
  /// What counts as a request's start.
  enum From {
    /// The instant of the plan: the comparison with the model.
    INTENDED,
    /// The instant of the actual send: what is left then is not the generator's.
    SENT
  }

  /// No latency: the request reached no backend.
  static final long NONE = -1;

  private record Arrival(long nanos, int request, int attempt, int backend) {}

  private static final Comparator<Arrival> IN_ORDER =
      Comparator.comparingLong(Arrival::nanos)
          .thenComparingInt(Arrival::request)
          .thenComparingInt(Arrival::attempt);

  private AttemptReplay() {}

  /// Latency of each request of the trace, always from its intended instant, to the finish of its
  /// last attempt; [#NONE] where there is none. O(n log n).
  ///
  /// @param speeds of the backends, in the order of the set
  static long[] latencies(
      Trace trace, RunLog run, BackendSet backends, List<Double> speeds, From from) {
    long[] latencies = new long[trace.size()];
    Arrays.fill(latencies, NONE);
    List<FifoServer<Arrival>> servers = new ArrayList<>();
    for (double speed : speeds) {
      servers.add(new FifoServer<>(speed));
    }
    for (Arrival arrival : arrivals(trace, run, backends, from)) {
      FifoServer<Arrival> server = servers.get(arrival.backend());
      while (!server.isEmpty() && server.head().finishNanos() <= arrival.nanos()) {
        server.removeHead();
      }
      int request = arrival.request();
      latencies[request] =
          server.admit(arrival, arrival.nanos(), trace.serviceNanos(request)).finishNanos()
              - trace.intendedNanos(request);
    }
    return latencies;
  }

  private static List<Arrival> arrivals(Trace trace, RunLog run, BackendSet backends, From from) {
    List<Arrival> arrivals = new ArrayList<>();
    for (RunLog.Entry entry : run.entries()) {
      long startNanos =
          switch (from) {
            case INTENDED -> trace.intendedNanos(entry.request());
            case SENT -> entry.sentNanos();
          };
      List<RunLog.Attempt> attempts = entry.attempts();
      for (int i = 0; i < attempts.size(); i++) {
        RunLog.Attempt attempt = attempts.get(i);
        int backend = backends.indexOf(attempt.backend());
        boolean reached =
            attempt.backendReceivedNanos() >= 0 || (entry.ok() && i == attempts.size() - 1);
        if (backend >= 0 && reached) {
          long after = Math.max(0, attempt.pickedNanos() - attempts.getFirst().pickedNanos());
          arrivals.add(new Arrival(startNanos + after, entry.request(), i, backend));
        }
      }
    }
    arrivals.sort(IN_ORDER);
    return arrivals;
  }
}
