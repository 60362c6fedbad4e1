package dev.herdlab.lab.run;

import dev.herdlab.balancer.DispatchLog;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A dispatch log as a file, by which a proxy process hands it to the lab: the number of events,
/// then kind, proxy, value, argument and instant of each, big-endian. Owner thread: any (no state).
@SuppressWarnings("EnumOrdinal") // both ends are this very program
final class DispatchLogFile {
  private static final DispatchLog.Kind[] KINDS = DispatchLog.Kind.values();

  private DispatchLogFile() {}

  static void write(DispatchLog log, Path file) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      out.writeInt(log.size());
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
  }

  static DispatchLog read(Path file) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file)))) {
      int events = in.readInt();
      DispatchLog log = new DispatchLog(events);
      for (int i = 0; i < events; i++) {
        log.append(KINDS[in.readByte()], in.readInt(), in.readInt(), in.readLong(), in.readLong());
      }
      return log;
    }
  }
}
