package dev.herdlab.lab.config;

import dev.herdlab.simulator.Change;
import dev.herdlab.workload.BackendFault;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Checks a cell's events against the rest of it, before anything runs. Owner thread: any (no
/// state).
final class EventCheck {
  private final List<Settings.Value<String>> written;
  private final int backends;
  private final double lengthUnits;
  private final long unitNanos;
  private final Serving serving;

  private EventCheck(
      List<Settings.Value<String>> written,
      int backends,
      double lengthUnits,
      long unitNanos,
      Serving serving) {
    this.written = written;
    this.backends = backends;
    this.lengthUnits = lengthUnits;
    this.unitNanos = unitNanos;
    this.serving = serving;
  }

  /// Reads what is written under the key.
  ///
  /// @throws ConfigException in one line, if an entry cannot be read
  static Events read(List<Settings.Value<String>> written) {
    if (written.size() == 1 && written.getFirst().text().equals("none")) {
      return Events.NONE;
    }
    written.forEach(value -> Specs.check(value, "events", PlannedEvent::parse));
    return Events.of(written.stream().map(Settings.Value::value).toList());
  }

  /// Throws if they do not fit.
  ///
  /// @param lengthUnits that the trace has, more or less
  static void check(
      Events events,
      List<Settings.Value<String>> written,
      int backends,
      double lengthUnits,
      long unitNanos,
      Serving serving) {
    if (!events.isEmpty()) {
      new EventCheck(written, backends, lengthUnits, unitNanos, serving).check(events);
    }
  }

  private void check(Events events) {
    for (int i = 0; i < events.entries().size(); i++) {
      PlannedEvent event = events.entries().get(i);
      if (event.at() >= lengthUnits) {
        throw wrong(
            i,
            String.format(
                Locale.ROOT,
                "at below %.6g units, which is how long the requests take at that rate",
                lengthUnits));
      }
      if (number(event.change()).filter(it -> it >= backends).isPresent()) {
        throw wrong(i, "a backend from b0 to b" + (backends - 1));
      }
    }
    if (events.count(lengthUnits) > Events.MAX_EVENTS) {
      throw wrong(0, "at most " + Events.MAX_EVENTS + " events with their repetitions");
    }
    play(events);
  }

  private static Optional<Integer> number(Change change) {
    return switch (change) {
      case Change.Fault fault -> Optional.of(fault.backend());
      case Change.Speed speed -> Optional.of(speed.backend());
      case Change.Weight weight -> Optional.of(weight.backend());
      case Change.Leave leave -> Optional.of(leave.backend());
      case Change.Join join -> Optional.of(join.backend());
      case Change.Restart _ -> Optional.empty();
    };
  }

  /// Goes through them in order.
  private void play(Events events) {
    boolean[] away = new boolean[backends];
    int there = backends;
    long[] hangsSince = new long[backends];
    Arrays.fill(hangsSince, -1);
    for (Change.Timed timed : events.changes(lengthUnits, unitNanos)) {
      switch (timed.change()) {
        case Change.Leave leave -> {
          int b = leave.backend();
          require(events, timed, !away[b], "b" + b + " to be there when it leaves");
          require(events, timed, --there > 0, "one backend at least that stays");
          away[b] = true;
        }
        case Change.Join join -> {
          int b = join.backend();
          require(events, timed, away[b], "b" + b + " to have left before it joins");
          there++;
          away[b] = false;
        }
        case Change.Fault(int b, BackendFault fault) -> {
          boolean hangs = fault.kind() == BackendFault.Kind.HANG;
          long since = hangsSince[b] < 0 ? timed.nanos() : hangsSince[b];
          require(events, timed, isPatient(timed.nanos() - since), ends(b));
          hangsSince[b] = hangs ? since : -1;
        }
        case Change.Speed _, Change.Weight _, Change.Restart _ -> {}
      }
    }
    for (int b = 0; b < backends; b++) {
      boolean hangs =
          hangsSince[b] >= 0 && hangsSince[b] <= Events.LONGER * lengthUnits * unitNanos;
      if (hangs && !serving.hasTimeout()) {
        throw wrong(hanging(events, b), ends(b));
      }
    }
  }

  /// Whether requests may hang so long.
  private boolean isPatient(long nanos) {
    return serving.hasTimeout() || nanos <= Sweep.LONGEST_TIMEOUT_NANOS;
  }

  private static String ends(int backend) {
    return "a timeout, or another fault of b"
        + backend
        + " within 20 s, such as none: else its requests never end";
  }

  private int hanging(Events events, int backend) {
    int found = 0;
    for (int i = 0; i < events.entries().size(); i++) {
      if (events.entries().get(i).change().equals(new Change.Fault(backend, BackendFault.HANG))) {
        found = i;
      }
    }
    return found;
  }

  private void require(Events events, Change.Timed timed, boolean holds, String expected) {
    if (!holds) {
      int at = 0;
      while (!events.entries().get(at).change().equals(timed.change())) {
        at++;
      }
      throw wrong(at, expected);
    }
  }

  private ConfigException wrong(int entry, String expected) {
    Settings.Value<String> value = written.get(entry);
    return ConfigException.at(value.origin().describe("events"), value.text(), expected);
  }
}
