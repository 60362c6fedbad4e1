package dev.herdlab.simulator;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.workload.FifoServer;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/// The model with forced picks: every request is served by the backend that served it in a measured
/// run, and what is left of the difference is the cost of reality.
///
/// Each backend serves its requests in the order of given arrival instants: the intended ones, or
/// those of the actual sends (which takes the generator's share out). Latencies count from the
/// intended instants in both cases. Of a request with several attempts the last one is replayed; a
/// failed request is left out, and with it the time that it may have cost its backend.
///
/// Cost: about 50 ns a request, and a sort if arrivals are not in order. Owner thread: any (no
/// state).
public final class Replay {
  private Replay() {}

  /// From which instants requests arrive at the backends.
  public enum Start {
    /// The plan's.
    INTENDED,
    /// Those at which the generator really wrote the requests.
    SENT
  }

  /// Replays what `log` says of `trace`.
  ///
  /// @param speeds one for each backend
  public static ModelRun of(
      Trace trace, RunLog log, BackendSet backends, List<Double> speeds, Start start) {
    int[] picked = new int[trace.size()];
    long[] arrivalNanos = new long[trace.size()];
    Arrays.fill(picked, ModelRun.NO_BACKEND);
    for (RunLog.Entry entry : log.entries()) {
      int i = entry.request();
      if (entry.ok() && !entry.attempts().isEmpty()) {
        picked[i] = backends.indexOf(entry.last().backend());
        arrivalNanos[i] =
            switch (start) {
              case INTENDED -> trace.intendedNanos(i);
              case SENT -> entry.sentNanos();
            };
      }
    }
    return of(trace, speeds, picked, arrivalNanos);
  }

  /// Replays given picks.
  ///
  /// @param speeds one for each backend
  /// @param backend for each request its backend, or [ModelRun#NO_BACKEND] to leave it out
  /// @param arrivalNanos for each request when it joins its backend's queue; equal instants in the
  ///     order of the trace
  public static ModelRun of(Trace trace, List<Double> speeds, int[] backend, long[] arrivalNanos) {
    if (backend.length != trace.size() || arrivalNanos.length != trace.size()) {
      throw new IllegalArgumentException(
          "replay: "
              + backend.length
              + " backends, "
              + arrivalNanos.length
              + " arrivals (expected: "
              + trace.size()
              + " of each, one for each request)");
    }
    List<FifoServer<Integer>> servers = speeds.stream().map(FifoServer<Integer>::new).toList();
    long[] latencyNanos = new long[trace.size()];
    Arrays.fill(latencyNanos, -1);
    for (int i : inOrder(backend, arrivalNanos)) {
      FifoServer<Integer> server = servers.get(backend[i]);
      long finishNanos = server.admit(i, arrivalNanos[i], trace.serviceNanos(i)).finishNanos();
      // The queue's length is of no interest: the server remembers by itself when it will be free.
      server.removeHead();
      latencyNanos[i] = finishNanos - trace.intendedNanos(i);
    }
    return new ModelRun(trace, speeds.size(), backend.clone(), latencyNanos);
  }

  /// The requests that have a backend, in the order of their arrivals.
  private static int[] inOrder(int[] backend, long[] arrivalNanos) {
    int[] order = new int[backend.length];
    int count = 0;
    boolean sorted = true;
    for (int i = 0; i < backend.length; i++) {
      if (backend[i] != ModelRun.NO_BACKEND) {
        sorted &= count == 0 || arrivalNanos[order[count - 1]] <= arrivalNanos[i];
        order[count++] = i;
      }
    }
    int[] present = Arrays.copyOf(order, count);
    if (sorted) {
      return present;
    }
    return Arrays.stream(present)
        .boxed()
        .sorted(Comparator.comparingLong(i -> arrivalNanos[i]))
        .mapToInt(Integer::intValue)
        .toArray();
  }
}
