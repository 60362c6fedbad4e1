package dev.herdlab.lab.run;

import dev.herdlab.balancer.DispatchLog;
import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A dispatch log as a file, by which a proxy process hands it to the lab: the number of events, then kind,
/// proxy, value, argument and instant of each, big-endian. Owner thread: any (no state).
final class DispatchLogFile {
  private static final DispatchLog.Kind[] KINDS = DispatchLog.Kind.values();

  private DispatchLogFile() {}

  static void write(DispatchLog log, Path file) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file)))) {
      out.writeInt(log.size());
      int[] failed = new int[1];
      log.forEach(
          (kind, proxy, value, argument, nanos) -> {
            try {
              out.writeByte(kind.ordinal());
              out.writeInt(proxy);
              out.writeInt(value);
              out.writeLong(argument);
              out.writeLong(nanos);
            } catch (IOException e) {
              failed[0]++;
            }
          });
      if (failed[0] > 0) {
        throw new IOException(file + ": not written in full");
      }
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
