package dev.herdlab.proxy;

/// Where the stale views of one process's proxies get their copies of the true counts from: the
/// port between proxies and whatever counts over all of them.
///
/// The proxies say when a copy is due, at the ideal instants of their view's schedule; the board
/// answers through its [BoardMember], on the loop, at once (counts in memory), a little later
/// (counts of other processes too), or, as long as it can't reach those, not at all. No request
/// ever waits for it.
///
/// Owner thread: the proxies' loop, unless it is said otherwise.
public interface CountBoard extends AutoCloseable {
  /// The board of proxies that share one loop and know of no others: each copy is the truth of that
  /// loop at the instant at which it is due.
  static CountBoard memory() {
    return new MemoryBoard();
  }

  /// What the counts are of.
  enum Scope {
    /// One process, all of whose proxies share a loop.
    ONE_PROCESS,
    /// Any number of processes.
    ALL_PROCESSES
  }

  /// What the counts are of. Any thread.
  Scope scope();

  /// Begins to serve these proxies, and no others; called once, before all below. Any thread.
  void open(BoardMember member);

  /// A copy is due that all proxies get, those of other processes included.
  ///
  /// @param refreshNanos the interval between such copies
  void commonCopyDue(long refreshNanos);

  /// A copy is due for one proxy alone.
  ///
  /// @param instance its index in this process
  /// @param refreshNanos the interval between its copies
  void copyDue(int instance, long refreshNanos);

  /// How it fares. Any thread.
  Health health();

  /// Serves no more. Any thread but the loop's; idempotent.
  @Override
  void close();

  /// How a board fares. Owner thread: any (immutable).
  ///
  /// @param kind `memory` or `redis`
  /// @param connected whether it reaches what holds the counts
  /// @param processes how many processes' counts the last copy had, this one's included
  /// @param silent how many of these did not answer in time and stand there with the counts that
  ///     they had at an earlier copy
  /// @param roundTripNanos smoothed time to what holds the counts and back; 0 in memory
  record Health(String kind, boolean connected, int processes, int silent, long roundTripNanos) {}
}
