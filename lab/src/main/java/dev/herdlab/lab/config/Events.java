package dev.herdlab.lab.config;

import dev.herdlab.balancer.FailureKind;
import dev.herdlab.simulator.Change;
import dev.herdlab.workload.BackendFault;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/// What is done to the system of a cell during its run.
///
/// Owner thread: any (immutable).
///
/// @param entries as written
public record Events(List<PlannedEvent> entries) {
  /// Nothing.
  public static final Events NONE = new Events(List.of());

  /// The most events of a cell, repetitions included: each changes every proxy.
  static final int MAX_EVENTS = 10_000;

  /// What a generator calls an answer of 500 or above, which it does not know the cause of.
  private static final String CLIENT_STATUS = "client-status";

  // Arrivals are random: so much longer may a trace be than it should. More does not happen in one.
  static final double LONGER = 1.2;

  public Events {
    entries = List.copyOf(entries);
  }

  /// Of texts as [PlannedEvent] reads them.
  ///
  /// @throws IllegalArgumentException in one line
  public static Events of(List<String> texts) {
    return new Events(texts.stream().map(PlannedEvent::parse).toList());
  }

  /// Whether nothing is done.
  public boolean isEmpty() {
    return entries.isEmpty();
  }

  /// The entries as text.
  public List<String> texts() {
    return entries.stream().map(PlannedEvent::text).toList();
  }

  /// What is done, as an entry says it without its time.
  public static String text(Change change) {
    return switch (change) {
      case Change.Fault(int backend, BackendFault fault) ->
          "backend=b" + backend + " fault=" + fault.spec();
      case Change.Speed(int backend, double speed) -> "backend=b" + backend + " speed=" + speed;
      case Change.Weight(int backend, int weight) -> "backend=b" + backend + " weight=" + weight;
      case Change.Leave(int backend) -> "backend=b" + backend + " member=leave";
      case Change.Join(int backend) -> "backend=b" + backend + " member=join";
      case Change.Restart() -> "proxies=restart";
    };
  }

  /// When each change is due, in order; those of one instant in the order of the entries. Some may
  /// be after the trace's last request.
  ///
  /// @param lengthUnits that the trace has, more or less
  List<Change.Timed> changes(double lengthUnits, long unitNanos) {
    List<Change.Timed> changes = new ArrayList<>();
    for (PlannedEvent event : entries) {
      // One beyond the end, or what begins before it might have none.
      double lastUnits = LONGER * lengthUnits + event.every();
      double units = event.at();
      for (int i = 1; i == 1 || (event.every() > 0 && units <= lastUnits); i++) {
        changes.add(new Change.Timed(Math.round(units * unitNanos), event.change()));
        units = event.at() + i * event.every();
      }
    }
    changes.sort(Comparator.comparingLong(Change.Timed::nanos));
    return List.copyOf(changes);
  }

  /// How many changes there are, bounded by more than [#MAX_EVENTS].
  double count(double lengthUnits) {
    double count = 0;
    for (PlannedEvent event : entries) {
      count += event.every() > 0 ? 2 + LONGER * lengthUnits / event.every() : 1;
    }
    return count;
  }

  /// The failures that they bring, by label: they say nothing against a run.
  public Set<String> failures() {
    Set<String> labels = new TreeSet<>();
    for (PlannedEvent event : entries) {
      if (event.change() instanceof Change.Fault(int _, BackendFault fault)) {
        switch (fault.kind()) {
          case NONE, HANG -> {}
          case REFUSE -> {
            labels.add(FailureKind.CONNECT_FAILED.label());
            labels.add(FailureKind.BACKEND_CLOSED.label());
          }
          case CLOSE -> labels.add(FailureKind.BACKEND_CLOSED.label());
          case STATUS -> {
            labels.add(FailureKind.ERROR_STATUS.label());
            labels.add(CLIENT_STATUS);
          }
        }
      }
    }
    return labels;
  }
}
