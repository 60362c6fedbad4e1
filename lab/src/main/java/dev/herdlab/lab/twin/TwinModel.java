package dev.herdlab.lab.twin;

import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.simulator.Carried;
import dev.herdlab.simulator.Model;
import dev.herdlab.simulator.ModelRun;
import dev.herdlab.simulator.Refreshes;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.util.Arrays;

/// The model of one measured system: its trace, the copies of the counts as they were really seen,
/// and the requests that went where they were measured to go, since they came before the switches.
///
/// Owner thread: any (immutable).
///
/// @param model of the measured algorithm and view
/// @param trace what is run
/// @param refreshes as recorded
/// @param carried what came before each proxy's switch
record TwinModel(Model model, Trace trace, Refreshes refreshes, Carried carried) {

  /// That of a measurement.
  static TwinModel of(Measurement measurement, Switches switches) {
    return new TwinModel(
        measurement
            .plan()
            .serving()
            .of(
                new Model(
                    measurement.backends(),
                    measurement.plan().speeds(),
                    measurement.algorithm(),
                    measurement.view()))
            .withChanges(ChangesOnRecord.of(measurement)),
        measurement.trace(),
        Refreshes.recorded(switches.dispatches()),
        carried(measurement, switches));
  }

  /// Latency of each request of the trace, with the coins of `seed`; -1 where it failed.
  long[] latencies(long seed, DispatchListener listener) {
    ModelRun run = model.run(trace, seed, refreshes, carried, listener);
    long[] latencies = new long[run.size()];
    for (int i = 0; i < latencies.length; i++) {
      latencies[i] = run.latencyNanos(i);
    }
    return latencies;
  }

  /// At each proxy as many of its first requests are told where to go as it had picked for by its
  /// switch: so it makes as many picks of its own as it really did, whatever the sockets' order.
  private static Carried carried(Measurement measurement, Switches switches) {
    Trace trace = measurement.trace();
    int[] measured = new int[trace.size()];
    int[] before = new int[trace.proxies()];
    Arrays.fill(measured, ModelRun.NO_BACKEND);
    for (RunLog.Entry entry : measurement.run().entries()) {
      int request = entry.request();
      int proxy = trace.proxy(request);
      if (!entry.attempts().isEmpty()) {
        measured[request] = measurement.backends().indexOf(entry.last().backend());
      }
      if (pickedNanos(entry, trace) < switches.nanos().get(proxy)) {
        before[proxy]++;
      }
    }
    int told = 0;
    for (int i = 0; i < measured.length; i++) {
      if (before[trace.proxy(i)]-- > 0) {
        told++;
      } else {
        measured[i] = Carried.OWN;
      }
    }
    return told == 0 ? Carried.none() : Carried.of(trace, measured, switches.instants());
  }

  /// When the request's first pick was; where no stamp says so, when it was due.
  private static long pickedNanos(RunLog.Entry entry, Trace trace) {
    boolean stamped = !entry.attempts().isEmpty() && entry.attempts().getFirst().pickedNanos() >= 0;
    return stamped
        ? entry.attempts().getFirst().pickedNanos()
        : trace.intendedNanos(entry.request());
  }
}
