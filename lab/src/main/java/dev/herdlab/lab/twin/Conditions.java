package dev.herdlab.lab.twin;

/// Under what conditions a cell was measured: what went before it and after it, and what its parts
/// had in common.
///
/// Owner thread: any (immutable).
///
/// @param carried how many requests of the trace, the first, belong to what ran before: they keep
///     the backends that they were measured on, in the replay and in the twin, and are in no number
/// @param epochNanos when the cell itself began, since the trace's instant 0; 0 unless something is
///     carried
/// @param clocks whether generators, proxies and backends read one clock
/// @param board where the copies of the true counts came from
/// @param end what came after
public record Conditions(int carried, long epochNanos, Clocks clocks, Board board, End end) {
  /// A cell by itself, on one machine, all proxies on one loop.
  public static final Conditions ALONE = new Conditions(0, 0, Clocks.ONE, Board.MEMORY, End.QUIET);

  public Conditions {
    if (carried < 0) {
      throw new IllegalArgumentException("carried: " + carried + " (expected: >= 0)");
    }
    if (epochNanos < 0) {
      throw new IllegalArgumentException("epoch: " + epochNanos + " ns (expected: >= 0)");
    }
  }

  /// Whose instants may be compared.
  public enum Clocks {
    /// Everybody's: one kernel.
    ONE,
    /// Those of one process with each other. Instants of others are mapped to the generator's clock
    /// by an estimate, good enough for order in the model, not for durations.
    SEVERAL
  }

  /// Where stale views get their copies.
  public enum Board {
    /// The memory of the one loop that all proxies of the system are on: copy and counts are of one
    /// moment.
    MEMORY,
    /// Another process, which adds up what it was told.
    NETWORK
  }

  /// What came after the cell's last request.
  public enum End {
    /// Nothing: all that was in flight could end.
    QUIET,
    /// More load: records end with requests in flight, and the last picks may be of requests that
    /// are not in the trace.
    LOADED
  }
}
