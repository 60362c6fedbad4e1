package dev.herdlab.workload;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;

/// A trace as a file and as bytes.
final class TraceFile {
  /// What stands for [Trace#NO_TENANT] in bytes: tenants count from 1.
  private static final int NOBODY = 0;

  private TraceFile() {}

  /// A request's tenant as it is written.
  static int tenant(Trace trace, int request) {
    int tenant = trace.tenant(request);
    return tenant == Trace.NO_TENANT ? NOBODY : tenant;
  }

  static void write(Trace trace, Path file) throws IOException {
    try (CsvGzWriter out = new CsvGzWriter(file, "i,intended_ns,proxy,service_ns,tenant")) {
      for (int i = 0; i < trace.size(); i++) {
        out.add(i).add(trace.intendedNanos(i)).add(trace.proxy(i));
        out.add(trace.serviceNanos(i)).add(tenant(trace, i)).endLine();
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
            tenant < 0 ? Trace.NO_TENANT : tenant(in, tenant));
      }
      return columns.trace(columns.proxies());
    }
  }

  private static int tenant(CsvGzReader in, int column) {
    int tenant = in.smallNumber(column);
    if (tenant < 0) {
      throw in.error("tenant: " + tenant + " (expected: >= 1, or 0 for none)");
    }
    return tenant == NOBODY ? Trace.NO_TENANT : tenant;
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
      row.putInt(trace.proxy(i)).putInt(tenant(trace, i));
      digest.update(row.flip());
    }
  }
}
