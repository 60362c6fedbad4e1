package dev.herdlab.lab.run;

import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.lab.admin.AdminAnswer;
import dev.herdlab.lab.admin.AdminClient;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// What the balancers of a system saw since they were installed, as their processes recorded it.
///
/// Owner thread: any, once made.
///
/// @param log of all proxies, in the order of the events' instants; instants count from the
///     installation's epoch
/// @param inFlight what the proxies counted in flight when they were asked
/// @param truncated whether a process had no more room for all: the log ends too early then
public record Dispatches(DispatchLog log, long inFlight, boolean truncated) {
  /// A header of `GET /dispatches`: what the process's proxies have in flight.
  static final String IN_FLIGHT = "x-herdlab-in-flight";

  /// A header of `GET /dispatches`: there if there was no room for all.
  static final String TRUNCATED = "x-herdlab-truncated";

  /// One of the two records that a process keeps.
  public enum Part {
    /// Since the last installation; the loop stands still while it is copied.
    CURRENT,
    /// From the installation before that to the last one. It does not change any more, and reading
    /// it disturbs nobody.
    PREVIOUS
  }

  /// The record of one process.
  static Dispatches of(AdminClient proxy, Part which) throws IOException, InterruptedException {
    AdminClient.Download answer =
        proxy.download(which == Part.CURRENT ? "/dispatches" : "/dispatches/previous");
    return new Dispatches(
        DispatchLogFile.read(new ByteArrayInputStream(answer.body())),
        Long.parseLong(answer.header(IN_FLIGHT).orElse("0")),
        answer.header(TRUNCATED).isPresent());
  }

  /// What a process answers: its record, and what it has in flight.
  static AdminAnswer answer(DispatchRecorder.Tape tape, long inFlight) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    DispatchLogFile.write(tape.log(), bytes);
    Map<String, String> headers = new HashMap<>();
    headers.put(IN_FLIGHT, String.valueOf(inFlight));
    if (tape.isTruncated()) {
      headers.put(TRUNCATED, "true");
    }
    return AdminAnswer.bytes("application/octet-stream", bytes.toByteArray(), headers);
  }

  /// The records of several processes as one.
  static Dispatches merge(List<Dispatches> parts) {
    return new Dispatches(
        DispatchLog.merge(parts.stream().map(Dispatches::log).toList()),
        parts.stream().mapToLong(Dispatches::inFlight).sum(),
        parts.stream().anyMatch(Dispatches::truncated));
  }
}
