package dev.herdlab.lab.twin;

import dev.herdlab.balancer.DispatchLog;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// When each proxy was given the balancer that a measurement is about, as its record says, and what
/// else was done to its proxies meanwhile.
///
/// It is the last installation before the sample begins; if there is none, the first one after. In
/// a measurement with restarts it is the first of all.
/// Owner thread: any (immutable).
///
/// @param nanos for each proxy the instant, or [#NEVER]
/// @param dispatches the record from there on: of each proxy only its events since its own switch;
///     backends go by their numbers in the whole set
/// @param missing proxies without any installation on record
/// @param late proxies whose switch came when the sample had begun
/// @param foreign installations after that which are none of the measurement's restarts, and
///     restarts that are not on record
/// @param updates changes of the set of backends after that which are none of the measurement's,
///     and such that are not on record
/// @param first what the first of all these is
record Switches(
    List<Long> nanos,
    DispatchLog dispatches,
    int missing,
    int late,
    int foreign,
    int updates,
    Optional<String> first) {
  /// The switch of a proxy that has none on record: before all its events.
  static final long NEVER = Long.MIN_VALUE;

  private static final int NONE = -1;

  /// Finds them. O(events).
  static Switches of(Measurement measurement) {
    int request = measurement.firstSampled();
    long sampleNanos =
        request < measurement.trace().size()
            ? measurement.trace().intendedNanos(request)
            : Long.MAX_VALUE;
    MemberSets sets = MemberSets.of(measurement);
    Search search =
        new Search(
            measurement.plan().proxies(), sampleNanos, measurement.restarts(), sets.updates());
    measurement.dispatches().forEach(search::see);
    search.at = 0;
    measurement.dispatches().forEach(search::keep);
    return search.result(sets);
  }

  /// The switch of each proxy, for the model.
  long[] instants() {
    return nanos.stream().mapToLong(Long::longValue).toArray();
  }

  /// One look at a log, and a second one.
  private static final class Search {
    private final long sampleNanos;
    private final int restarts;
    private final int sets;
    private final int[] restarted;
    private final int[] updated;
    private final int[] event;
    private final long[] nanos;
    private final DispatchLog kept = new DispatchLog(16);
    private int at;
    private int late;
    private int foreign;
    private int updates;
    private Optional<String> first = Optional.empty();

    Search(int proxies, long sampleNanos, int restarts, int sets) {
      this.sampleNanos = sampleNanos;
      this.restarts = restarts;
      this.sets = sets;
      restarted = new int[proxies];
      updated = new int[proxies];
      event = new int[proxies];
      nanos = new long[proxies];
      Arrays.fill(event, NONE);
      Arrays.fill(nanos, NEVER);
    }

    void see(DispatchLog.Kind kind, int proxy, int value, long argument, long instant) {
      if (proxy >= event.length) {
        throw new IllegalArgumentException(
            "proxy on record: " + proxy + " (expected: below " + event.length + ", the plan's)");
      }
      boolean later = restarts == 0 && instant <= sampleNanos;
      if (kind == DispatchLog.Kind.INSTALL && (event[proxy] == NONE || later)) {
        event[proxy] = at;
        nanos[proxy] = instant;
      }
      at++;
    }

    void keep(DispatchLog.Kind kind, int proxy, int value, long argument, long instant) {
      if (at >= event[proxy]) {
        kept.append(kind, proxy, value, argument, instant);
      }
      if (kind == DispatchLog.Kind.INSTALL && at > event[proxy]) {
        if (++restarted[proxy] <= restarts) {
          at++;
          return;
        }
        foreign++;
        note("proxy %d was given another balancer at %d ns", proxy, instant);
      } else if (kind == DispatchLog.Kind.INSTALL && at == event[proxy] && instant > sampleNanos) {
        late++;
        note("proxy %d was switched at %d ns", proxy, instant);
      } else if (kind == DispatchLog.Kind.UPDATE && at >= event[proxy] && ++updated[proxy] > sets) {
        updates++;
        note("proxy %d had other backends from %d ns on", proxy, instant);
      }
      at++;
    }

    private void note(String what, int proxy, long instant) {
      if (first.isEmpty()) {
        first = Optional.of(what.formatted(proxy, instant));
      }
    }

    Switches result(MemberSets memberSets) {
      List<Long> instants = new ArrayList<>();
      int missing = 0;
      for (int p = 0; p < event.length; p++) {
        instants.add(nanos[p]);
        if (event[p] == NONE) {
          missing++;
          note("proxy %d has no installation on record%.0s", p, 0);
          continue;
        }
        if (restarted[p] < restarts) {
          foreign++;
          note("proxy %d has a restart too few on record%.0s", p, 0);
        }
        if (updated[p] < sets) {
          updates++;
          note("proxy %d has a set of backends too few on record%.0s", p, 0);
        }
      }
      return new Switches(
          List.copyOf(instants),
          memberSets.numbered(kept, event.length),
          missing,
          late,
          foreign,
          updates,
          first);
    }
  }
}
