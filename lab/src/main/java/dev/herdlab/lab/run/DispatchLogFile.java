package dev.herdlab.lab.run;

import dev.herdlab.balancer.DispatchLog;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A dispatch log as bytes, by which a proxy process hands it to the lab: the format's number, the
/// number of events, then kind, proxy, value, argument and instant of each, big-endian. Owner
/// thread: any (no state).
@SuppressWarnings("EnumOrdinal") // the format's number changes with the kinds
final class DispatchLogFile {
  /// "HDL" and the version of kinds and layout.
  private static final int FORMAT = 0x48_44_4C_05;

  /// More than a proxy process could keep in memory.
  private static final int MOST_EVENTS = 200_000_000;

  /// Room that is made before an event is there.
  private static final int FIRST_EVENTS = 1 << 20;

  private static final DispatchLog.Kind[] KINDS = DispatchLog.Kind.values();

  private DispatchLogFile() {}

  static void write(DispatchLog log, Path file) throws IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      write(log, out);
    }
  }

  /// Writes a log; the stream stays open.
  static void write(DispatchLog log, OutputStream stream) throws IOException {
    DataOutputStream out = new DataOutputStream(new BufferedOutputStream(stream, 1 << 16));
    out.writeInt(FORMAT);
    out.writeInt(log.size());
    try {
      log.forEach(
          (kind, proxy, value, argument, nanos) -> {
            try {
              out.writeByte(kind.ordinal());
              out.writeInt(proxy);
              out.writeInt(value);
              out.writeLong(argument);
              out.writeLong(nanos);
            } catch (IOException e) {
              throw new UncheckedIOException(e);
            }
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    out.flush();
  }

  static DispatchLog read(Path file) throws IOException {
    try (InputStream in = Files.newInputStream(file)) {
      return read(in);
    }
  }

  /// Reads a log.
  ///
  /// @throws IOException if it is of another build, or ends too early
  static DispatchLog read(InputStream stream) throws IOException {
    DataInputStream in = new DataInputStream(new BufferedInputStream(stream, 1 << 16));
    int format = in.readInt();
    if (format != FORMAT) {
      throw new IOException(
          "dispatch log: format %08x (expected: %08x, of this build)".formatted(format, FORMAT));
    }
    int events = in.readInt();
    if (events < 0 || events > MOST_EVENTS) {
      throw new IOException(
          "dispatch log: " + events + " events (expected: 0 to " + MOST_EVENTS + ")");
    }
    DispatchLog log = new DispatchLog(Math.min(events, FIRST_EVENTS));
    for (int i = 0; i < events; i++) {
      int kind = in.readUnsignedByte();
      if (kind >= KINDS.length) {
        throw new IOException(
            "dispatch log: kind " + kind + " (expected: below " + KINDS.length + ")");
      }
      log.append(KINDS[kind], in.readInt(), in.readInt(), in.readLong(), in.readLong());
    }
    return log;
  }
}
