package dev.herdlab.lab.twin;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.lab.config.Serving;
import dev.herdlab.simulator.Change;
import dev.herdlab.workload.BackendFault;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Station;
import dev.herdlab.workload.Trace;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// The replay: the measured backends, served by ideal queues. What a measured latency has above it
/// is the cost of reality: sockets, timers, scheduling.
///
/// Which attempts enter: every one that reached a backend, those included that were given up since
/// another one of the request was answered, which leave when they really did; the others of a
/// request that was retried had failed and kept no server busy. Of all every one that reached a
/// backend, failed ones too, since they kept the server busy. That is told by the backend's stamp;
/// the last attempt of a request that succeeded needs none, nor that of a request whose client gave
/// it up, which leaves its backend at its time limit. Another attempt whose response was lost shows
/// no stamp and cannot enter: one more reason why a run with such failures is not valid.
///
/// When they arrive: a first attempt at its request's intended (or sent) instant, a later one as
/// long after it as it was picked after the first. Order of service: that of these instants, then
/// of the requests' numbers; not the order in which sockets happened to deliver. Where the
/// algorithm limits what a proxy has on a backend, a further request waits for its measured backend
/// at the proxy, as it did.
///
/// What is done to backends meanwhile is done here, too: other speeds, and that one hangs and holds
/// what comes. What a fault turns away or loses did not enter.
///
/// Owner thread: its caller's.
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

  /// One attempt at its backend.
  private static final class Visit {
    private final int request;
    private final int attempt;
    private final int backend;
    // Whether its end is the request's.
    private final boolean decides;
    private boolean done;
    private Station.@Nullable Job<Visit> job;

    Visit(int request, int attempt, int backend, boolean decides) {
      this.decides = decides;
      this.request = request;
      this.attempt = attempt;
      this.backend = backend;
    }
  }

  private enum Kind {
    /// The client gave up, before anything arrives at that instant.
    GIVEN_UP,
    ARRIVES
  }

  private record Event(long nanos, Kind kind, Visit visit) {}

  private static final Comparator<Event> IN_ORDER =
      Comparator.comparingLong(Event::nanos)
          .thenComparing(Event::kind)
          .thenComparingInt((Event event) -> event.visit().request)
          .thenComparingInt(event -> event.visit().attempt);

  private final Trace trace;
  private final List<Station<Visit>> stations = new ArrayList<>();
  private final long[] latencies;
  // The latest that is done, of each request.
  private final int[] attempts;

  private final int limit;
  private final List<Change.Timed> changes;
  private int nextChange;
  // Of each backend, what has come while it hangs; absent if it does not.
  private final Map<Integer, Deque<Visit>> held = new HashMap<>();
  private final Map<Integer, Gate> gates = new HashMap<>();

  /// What one proxy has on one backend, and what waits for it there.
  private static final class Gate {
    private final Deque<Visit> waiting = new ArrayDeque<>();
    private int inFlight;
  }

  private AttemptReplay(
      Trace trace, List<Double> speeds, Serving serving, int limit, List<Change.Timed> changes) {
    this.trace = trace;
    this.limit = limit;
    this.changes = changes;
    this.latencies = new long[trace.size()];
    this.attempts = new int[trace.size()];
    Arrays.fill(latencies, NONE);
    for (double speed : speeds) {
      stations.add(serving.queueing().station(speed));
    }
  }

  /// Latency of each request of the trace, always from its intended instant, to the finish of its
  /// last attempt; [#NONE] where there is none. O(n log n).
  ///
  /// @param speeds of the backends, in the order of the set
  /// @param serving how they serve
  /// @param limit requests that a proxy had on one backend at most: further ones wait for that
  ///     backend at the proxy
  /// @param changes what was done meanwhile, in order
  static long[] latencies(
      Trace trace,
      RunLog run,
      BackendSet backends,
      List<Double> speeds,
      Serving serving,
      int limit,
      List<Change.Timed> changes,
      From from) {
    AttemptReplay replay = new AttemptReplay(trace, speeds, serving, limit, changes);
    for (Event event : events(trace, run, backends, serving, from)) {
      // At one instant: who gives up, changes, who arrives.
      replay.change(event.kind() == Kind.ARRIVES ? event.nanos() : event.nanos() - 1);
      replay.play(event);
    }
    replay.change(Long.MAX_VALUE);
    replay.stations.forEach(station -> replay.finish(station, Long.MAX_VALUE));
    return replay.latencies;
  }

  /// Makes the changes that are due by then.
  private void change(long untilNanos) {
    while (nextChange < changes.size() && changes.get(nextChange).nanos() <= untilNanos) {
      Change.Timed timed = changes.get(nextChange++);
      switch (timed.change()) {
        case Change.Speed(int backend, double speed) -> {
          finish(stations.get(backend), timed.nanos());
          stations.get(backend).changeSpeed(speed, timed.nanos());
        }
        case Change.Fault(int backend, BackendFault fault) -> {
          if (fault.kind() == BackendFault.Kind.HANG) {
            held.putIfAbsent(backend, new ArrayDeque<>());
          } else {
            release(backend, timed.nanos());
          }
        }
        case Change.Weight _, Change.Leave _, Change.Join _, Change.Restart _ -> {}
      }
    }
  }

  private void release(int backend, long nanos) {
    Deque<Visit> waiting = held.remove(backend);
    if (waiting != null) {
      finish(stations.get(backend), nanos);
      waiting.forEach(visit -> enqueue(visit, nanos));
    }
  }

  private void play(Event event) {
    Visit visit = event.visit();
    Station<Visit> station = stations.get(visit.backend);
    finish(station, event.nanos());
    Gate gate = gate(visit);
    if (event.kind() == Kind.GIVEN_UP && visit.done) {
      return; // Ideal queues were a little faster.
    }
    if (event.kind() == Kind.GIVEN_UP) {
      Deque<Visit> holding = held.get(visit.backend);
      if (holding != null && holding.remove(visit)) {
        left(visit, event.nanos());
      } else if (visit.job == null) {
        gate.waiting.remove(visit);
      } else {
        station.cancel(visit.job, event.nanos());
        left(visit, event.nanos());
      }
    } else if (gate.inFlight < limit) {
      admit(gate, visit, event.nanos());
    } else {
      gate.waiting.add(visit);
    }
  }

  private Gate gate(Visit visit) {
    int pair = trace.proxy(visit.request) * stations.size() + visit.backend;
    return gates.computeIfAbsent(pair, key -> new Gate());
  }

  private void admit(Gate gate, Visit visit, long nanos) {
    gate.inFlight++;
    Deque<Visit> holding = held.get(visit.backend);
    if (holding != null) {
      holding.add(visit);
    } else {
      enqueue(visit, nanos);
    }
  }

  private void enqueue(Visit visit, long nanos) {
    visit.job = stations.get(visit.backend).admit(visit, nanos, trace.serviceNanos(visit.request));
  }

  /// A visit is over: the next one of its proxy may come.
  private void left(Visit visit, long nanos) {
    Gate gate = gate(visit);
    gate.inFlight--;
    Visit next = gate.waiting.poll();
    if (next != null) {
      admit(gate, next, nanos);
    }
  }

  private void finish(Station<Visit> station, long untilNanos) {
    while (!station.isEmpty() && station.head().finishNanos() <= untilNanos) {
      Station.Job<Visit> done = station.removeHead();
      int request = done.tag().request;
      done.tag().done = true;
      if (done.tag().decides && done.tag().attempt >= attempts[request]) {
        attempts[request] = done.tag().attempt;
        latencies[request] = done.finishNanos() - trace.intendedNanos(request);
      }
      left(done.tag(), done.finishNanos());
    }
  }

  private static long firstPick(List<RunLog.Attempt> attempts) {
    long first = Long.MAX_VALUE;
    for (RunLog.Attempt attempt : attempts) {
      first = Math.min(first, attempt.pickedNanos());
    }
    return first;
  }

  private static List<Event> events(
      Trace trace, RunLog run, BackendSet backends, Serving serving, From from) {
    List<Event> events = new ArrayList<>();
    for (RunLog.Entry entry : run.entries()) {
      long startNanos =
          switch (from) {
            case INTENDED -> trace.intendedNanos(entry.request());
            case SENT -> entry.sentNanos();
          };
      boolean givenUp = entry.outcome().equals(FailureKind.DEADLINE_EXCEEDED.label());
      List<RunLog.Attempt> attempts = entry.attempts();
      long firstNanos = firstPick(attempts);
      for (int i = 0; i < attempts.size(); i++) {
        RunLog.Attempt attempt = attempts.get(i);
        int backend = backends.indexOf(attempt.backend());
        boolean last = i == attempts.size() - 1;
        boolean reached = attempt.backendReceivedNanos() >= 0 || (entry.ok() && last);
        boolean left = givenUp && last && attempt.forwardedNanos() >= 0;
        boolean lost = !last && attempt.forwardedNanos() >= 0 && attempt.returnedNanos() >= 0;
        if (backend >= 0 && (reached || left || lost)) {
          long after = Math.max(0, attempt.pickedNanos() - firstNanos);
          Visit visit = new Visit(entry.request(), i, backend, last || reached);
          events.add(new Event(startNanos + after, Kind.ARRIVES, visit));
          if (lost) {
            long ended = Math.max(after, attempt.returnedNanos() - firstNanos);
            events.add(new Event(startNanos + ended, Kind.GIVEN_UP, visit));
          } else if (left) {
            long endNanos = trace.intendedNanos(entry.request()) + serving.timeoutNanos();
            events.add(new Event(endNanos, Kind.GIVEN_UP, visit));
          }
        }
      }
    }
    events.sort(IN_ORDER);
    return events;
  }
}
