package dev.herdlab.transport;

import java.util.Locale;

/// How the kernel schedules a loop's thread.
public enum Scheduling {
  /// The normal policy, with the shortest timer slack and a short slice where the system grants
  /// them.
  DEFAULT,
  /// `SCHED_FIFO` at priority 50: runs before everything normal. Needs CAP_SYS_NICE or an rtprio
  /// limit.
  REAL_TIME;

  /// The kebab-case name: `default` or `real-time`.
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// What a loop's thread really got. Owner thread: any (immutable).
  ///
  /// @param scheduling the policy
  /// @param timerSlackNanos how late the kernel may wake the thread on purpose; -1 if it could not
  ///     be set
  /// @param sliceNanos length of the thread's slice under the normal policy; -1 if it is the
  ///     kernel's own
  public record Granted(Scheduling scheduling, long timerSlackNanos, long sliceNanos) {
    /// One line for a report, e.g. `default, timer slack 1 ns, slice 100 us`.
    public String describe() {
      StringBuilder text = new StringBuilder(scheduling.label());
      text.append(
          timerSlackNanos < 0
              ? ", timer slack unchanged"
              : ", timer slack " + timerSlackNanos + " ns");
      if (scheduling == DEFAULT) {
        text.append(sliceNanos < 0 ? ", slice unchanged" : ", slice " + sliceNanos / 1000 + " us");
      }
      return text.toString();
    }
  }
}
