package dev.herdlab.lab.twin;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.simulator.Change;
import dev.herdlab.simulator.Members;
import java.util.ArrayList;
import java.util.List;

/// The sets of backends that the proxies of a measurement had one after another, as its changes
/// say.
///
/// Owner thread: any (immutable).
final class MemberSets {
  private final BackendSet all;
  private final List<BackendSet> sets = new ArrayList<>();

  private MemberSets(BackendSet all) {
    this.all = all;
    sets.add(all);
  }

  /// Those of a measurement.
  static MemberSets of(Measurement measurement) {
    MemberSets sets = new MemberSets(measurement.backends());
    Members members = new Members(measurement.backends());
    for (Change.Timed timed : measurement.changes()) {
      members.make(timed.change()).ifPresent(sets.sets::add);
    }
    return sets;
  }

  /// How often the set was replaced.
  int updates() {
    return sets.size() - 1;
  }

  /// The set after so many replacements, at most [#updates].
  BackendSet after(int updates) {
    return sets.get(updates);
  }

  /// The same log, in which backends go by their numbers in the whole set, and no longer by their
  /// places in the set of the moment. O(events).
  DispatchLog numbered(DispatchLog log, int proxies) {
    if (updates() == 0) {
      return log;
    }
    DispatchLog numbered = new DispatchLog(log.size());
    int[] seen = new int[proxies];
    log.forEach(
        (kind, proxy, value, argument, nanos) -> {
          if (kind == DispatchLog.Kind.UPDATE) {
            seen[proxy]++;
          }
          numbered.append(kind, proxy, number(kind, value, seen[proxy]), argument, nanos);
        });
    return numbered;
  }

  private int number(DispatchLog.Kind kind, int value, int updates) {
    return switch (kind) {
      case PICK, COUNT, LEASE, PINNED, PROBE_REPLY, IDLE, REPORT, RETRY, HEDGE -> {
        BackendSet set = sets.get(Math.min(updates, updates()));
        yield value < 0 || value >= set.size() ? value : all.indexOf(set.get(value).id());
      }
      case REFUSAL, WAIT, SUCCESS, FAILURE, CANCELLATION, REFRESH, SNAPSHOT -> value;
      case INSTALL, UPDATE, NUMBER, OVER_BUDGET -> value;
    };
  }
}
