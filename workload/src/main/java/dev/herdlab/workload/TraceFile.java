package dev.herdlab.workload;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;

/// A trace as a file and as bytes.
final class TraceFile {
  private TraceFile() {}

  static void write(Trace trace, Path file) throws IOException {
    try (CsvGzWriter out = new CsvGzWriter(file, "i,intended_ns,proxy,service_ns,tenant")) {
      for (int i = 0; i < trace.size(); i++) {
        out.add(i).add(trace.intendedNanos(i)).add(trace.proxy(i));
        out.add(trace.serviceNanos(i)).add(trace.tenant(i)).endLine();
      }
    }
  }

  static Trace read(Path file, int cell) throws IOException {
    try (CsvGzReader in = new CsvGzReader(file, cell)) {
      int number = in.column("i");
      int intended = in.column("intended_ns");
      int proxy = in.column("proxy");
      int service = in.column("service_ns");
      int tenant = in.has("tenant") ? in.column("tenant") : -1;
      Trace.TraceColumns columns = new Trace.TraceColumns();
      while (in.next()) {
        if (in.number(number) != columns.size()) {
          throw in.error("i: " + in.text(number) + " (expected: " + columns.size() + ")");
        }
        add(
            in,
            columns,
            in.number(intended),
            in.smallNumber(proxy),
            in.number(service),
            tenant < 0 ? 0 : in.smallNumber(tenant));
      }
      return columns.trace(columns.proxies());
    }
  }

  private static void add(
      CsvGzReader in, Trace.TraceColumns to, long intended, int proxy, long service, int tenant) {
    try {
      to.add(intended, proxy, service, tenant);
    } catch (IllegalArgumentException e) {
      throw in.error(String.valueOf(e.getMessage()));
    }
  }

  static void digest(Trace trace, MessageDigest digest) {
    ByteBuffer row = ByteBuffer.allocate(2 * Long.BYTES + 2 * Integer.BYTES);
    for (int i = 0; i < trace.size(); i++) {
      row.clear();
      row.putLong(trace.intendedNanos(i)).putLong(trace.serviceNanos(i));
      row.putInt(trace.proxy(i)).putInt(trace.tenant(i));
      digest.update(row.flip());
    }
  }
}
