package dev.herdlab.workload;

import dev.herdlab.workload.RunLog.Attempt;
import dev.herdlab.workload.RunLog.Entry;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToLongFunction;

/// A run log as a file.
final class RunLogFile {
  /// The stamps of an attempt, in the order of their columns.
  private static final List<Stamp> STAMPS =
      List.of(
          new Stamp("proxy_received_ns", Attempt::proxyReceivedNanos),
          new Stamp("picked_ns", Attempt::pickedNanos),
          new Stamp("forwarded_ns", Attempt::forwardedNanos),
          new Stamp("backend_received_ns", Attempt::backendReceivedNanos),
          new Stamp("start_ns", Attempt::startNanos),
          new Stamp("finish_ns", Attempt::finishNanos),
          new Stamp("delivered_ns", Attempt::deliveredNanos),
          new Stamp("returned_ns", Attempt::returnedNanos));

  private static final String SEPARATOR = ";";

  private record Stamp(String column, ToLongFunction<Attempt> nanos) {}

  private RunLogFile() {}

  /// Refuses a text that a CSV field cannot hold as it is.
  static void requirePlain(String what, String text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c <= ' ' || c == ',' || c == ';' || c == '"') {
        throw new IllegalArgumentException(
            what + ": " + text + " (expected: no blank, comma, semicolon or quote)");
      }
    }
  }

  static String header() {
    StringBuilder header =
        new StringBuilder(
            "i,intended_ns,sent_ns,done_ns,proxy,backend,service_ns,outcome,attempts");
    for (Stamp stamp : STAMPS) {
      header.append(',').append(stamp.column);
    }
    return header.append(",tenant,").append(CsvGzReader.CELL).toString();
  }

  static void writeEntry(Entry entry, Trace trace, int cell, CsvGzWriter out) throws IOException {
    int i = entry.request();
    List<Attempt> attempts = entry.attempts();
    out.add(i).add(trace.intendedNanos(i)).add(entry.sentNanos()).add(entry.doneNanos());
    out.add(trace.proxy(i)).add(backends(attempts)).add(trace.serviceNanos(i));
    out.add(entry.outcome()).add(attempts.size());
    for (Stamp stamp : STAMPS) {
      switch (attempts.size()) {
        case 0 -> out.add(RunLog.UNKNOWN);
        case 1 -> out.add(stamp.nanos.applyAsLong(attempts.getFirst()));
        default -> out.add(list(stamp, attempts));
      }
    }
    out.add(TraceFile.tenant(trace, i)).add(cell).endLine();
  }

  private static String backends(List<Attempt> attempts) {
    return String.join(SEPARATOR, attempts.stream().map(Attempt::backend).toList());
  }

  private static String list(Stamp stamp, List<Attempt> attempts) {
    return String.join(
        SEPARATOR, attempts.stream().map(a -> Long.toString(stamp.nanos.applyAsLong(a))).toList());
  }

  static RunLog read(Path file, int cell) throws IOException {
    try (CsvGzReader in = new CsvGzReader(file, cell)) {
      Columns columns = new Columns(in);
      List<Entry> entries = new ArrayList<>();
      int last = -1;
      while (in.next()) {
        Entry entry = columns.entry();
        if (entry.request() <= last) {
          throw in.error("i: " + entry.request() + " (expected: above " + last + ")");
        }
        if (entries.size() == Trace.MAX_REQUESTS) {
          throw in.error("one more entry (expected: at most " + Trace.MAX_REQUESTS + ")");
        }
        last = entry.request();
        entries.add(entry);
      }
      return new RunLog(entries);
    }
  }

  /// Where the columns are.
  private static final class Columns {
    private final CsvGzReader in;
    private final int request;
    private final int sent;
    private final int done;
    private final int proxy;
    private final int backend;
    private final int outcome;
    private final int attempts;
    private final int[] stamps;

    Columns(CsvGzReader in) {
      this.in = in;
      request = in.column("i");
      sent = in.column("sent_ns");
      done = in.column("done_ns");
      proxy = in.column("proxy");
      backend = in.column("backend");
      outcome = in.column("outcome");
      attempts = in.column("attempts");
      stamps = STAMPS.stream().mapToInt(stamp -> in.column(stamp.column)).toArray();
    }

    Entry entry() {
      int count = in.smallNumber(attempts);
      if (count < 0) {
        throw in.error("attempts: " + count + " (expected: >= 0)");
      }
      List<Attempt> list = count == 0 ? List.of() : attempts(count);
      return new Entry(
          in.smallNumber(request),
          in.number(sent),
          in.number(done),
          plain(outcome, in.text(outcome)),
          list);
    }

    private List<Attempt> attempts(int count) {
      String[] backends = parts(backend, count);
      for (String name : backends) {
        plain(backend, name);
      }
      String[][] texts = new String[stamps.length][];
      for (int s = 0; s < stamps.length; s++) {
        texts[s] = parts(stamps[s], count);
      }
      int itsProxy = in.smallNumber(proxy);
      List<Attempt> list = new ArrayList<>();
      for (int a = 0; a < count; a++) {
        long[] nanos = new long[stamps.length];
        for (int s = 0; s < stamps.length; s++) {
          nanos[s] = in.number(stamps[s], texts[s][a]);
        }
        list.add(
            new Attempt(
                backends[a],
                itsProxy,
                nanos[0],
                nanos[1],
                nanos[2],
                nanos[3],
                nanos[4],
                nanos[5],
                nanos[6],
                nanos[7]));
      }
      return list;
    }

    private String plain(int column, String text) {
      try {
        requirePlain(in.name(column), text);
        return text;
      } catch (IllegalArgumentException e) {
        throw in.error(String.valueOf(e.getMessage()));
      }
    }

    private String[] parts(int column, int count) {
      String[] parts = in.text(column).split(SEPARATOR, -1);
      if (parts.length != count) {
        throw in.error(
            in.text(column) + ": " + parts.length + " parts (expected: " + count + " attempts)");
      }
      return parts;
    }
  }
}
