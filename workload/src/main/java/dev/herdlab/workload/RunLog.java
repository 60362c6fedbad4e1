package dev.herdlab.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;

/// What happened in a run: an entry for each request that was sent, in the order of their numbers.
///
/// Instants are nanoseconds since the run's start on the monotonic clock of the host that saw them;
/// [#UNKNOWN] stands for what did not happen or was not seen. Owner thread: any (immutable).
public record RunLog(List<Entry> entries) {
  /// The outcome of a request that was answered.
  public static final String OK = "ok";

  /// The instant of what did not happen or was not seen.
  public static final long UNKNOWN = -1;

  /// Sorts the entries by request.
  ///
  /// @throws IllegalArgumentException if a request has two
  public RunLog {
    entries = entries.stream().sorted(Comparator.comparingInt(Entry::request)).toList();
    for (int i = 1; i < entries.size(); i++) {
      if (entries.get(i).request == entries.get(i - 1).request) {
        throw new IllegalArgumentException(
            "request " + entries.get(i).request + ": two entries (expected: one)");
      }
    }
  }

  /// One request, as the generator saw it, and its attempts.
  ///
  /// @param request its number in the trace
  /// @param sentNanos when it was written to the proxy
  /// @param doneNanos when its last byte came, or its failure
  /// @param outcome [#OK] or a failure's label
  /// @param attempts the backends tried, the one that decided last, the others in the order in
  ///   which they ended; empty when no proxy told of one
  public record Entry(
      int request, long sentNanos, long doneNanos, String outcome, List<Attempt> attempts) {
    public Entry {
      attempts = List.copyOf(attempts);
      RunLogFile.requirePlain("outcome", outcome);
    }

    /// Whether it was answered.
    public boolean ok() {
      return outcome.equals(OK);
    }

    /// The attempt that decided.
    ///
    /// @throws java.util.NoSuchElementException when there is none
    public Attempt last() {
      return attempts.getLast();
    }
  }

  /// One try of a request on one backend.
  ///
  /// @param backend its id; empty when none was picked
  /// @param proxy the proxy's number
  /// @param proxyReceivedNanos when the proxy had read the request's head
  /// @param pickedNanos when the balancer had answered
  /// @param forwardedNanos when the request was written to the backend's connection
  /// @param backendReceivedNanos when the backend had read it: its arrival in the queue
  /// @param startNanos the ideal start of service
  /// @param finishNanos the ideal end of service
  /// @param deliveredNanos when the backend wrote the response
  /// @param returnedNanos when the proxy had read the response's head; of one that did not decide,
  ///     when it was given up, unknown if it failed
  public record Attempt(
      String backend,
      int proxy,
      long proxyReceivedNanos,
      long pickedNanos,
      long forwardedNanos,
      long backendReceivedNanos,
      long startNanos,
      long finishNanos,
      long deliveredNanos,
      long returnedNanos) {
    public Attempt {
      RunLogFile.requirePlain("backend", backend);
    }
  }

  /// Reads one cell of what a [RunLogWriter] wrote; columns are found by name.
  ///
  /// @param cell its number, from 1
  /// @throws IllegalArgumentException if the content is wrong, or has other cells and not this one:
  /// file, line, found and expected
  /// @throws IOException if it cannot be read
  public static RunLog read(Path csvGz, int cell) throws IOException {
    return RunLogFile.read(csvGz, cell);
  }
}
