package dev.herdlab.proxy.redis;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInput;
import java.io.DataInputStream;
import java.io.DataOutput;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.UUID;

/// What processes say to each other through Redis. Binary, big-endian, the version first; a few
/// hundred bytes for 16 backends. Owner thread: any (immutable).
sealed interface Message {
  /// The slot of a collection for all proxies; that of one for instance i of its process is i + 1.
  int COMMON = 0;

  /// Version of the encoding: others are not read.
  int VERSION = 1;

  /// Asks every process for its counts as they are now.
  ///
  /// @param asker the process that asks
  /// @param slot what it asks for
  /// @param token tells its collections apart
  record Collect(UUID asker, int slot, long token) implements Message {}

  /// A process's answer.
  ///
  /// @param from the process that answers
  /// @param slot as in the question, like `token`
  /// @param counts what it has in flight
  record Answer(UUID from, int slot, long token, CountVector counts) implements Message {}

  /// A copy for all proxies.
  ///
  /// @param ageNanos for how long its counts were not true any more when it reached Redis
  record Common(SharedCopy copy, long ageNanos) implements Message {}

  /// A process ends in order: its counts are not to be kept.
  record Farewell(UUID from) implements Message {}

  /// As bytes.
  default byte[] encode() {
    var bytes = new ByteArrayOutputStream(512);
    try {
      DataOutputStream out = new DataOutputStream(bytes);
      out.writeByte(VERSION);
      write(out, this);
    } catch (IOException e) {
      // From writeUTF only: an id of more than 64 KiB.
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  private static void write(DataOutput out, Message message) throws IOException {
    switch (message) {
      case Collect(UUID asker, int slot, long token) -> {
        out.writeByte(1);
        writeId(out, asker);
        out.writeInt(slot);
        out.writeLong(token);
      }
      case Answer(UUID from, int slot, long token, CountVector counts) -> {
        out.writeByte(2);
        writeId(out, from);
        out.writeInt(slot);
        out.writeLong(token);
        counts.write(out);
      }
      case Common(SharedCopy copy, long ageNanos) -> {
        out.writeByte(3);
        out.writeLong(ageNanos);
        copy.write(out);
      }
      case Farewell(UUID from) -> {
        out.writeByte(4);
        writeId(out, from);
      }
    }
  }

  /// The message that these bytes are.
  ///
  /// @throws IOException if they are none, or one of another version
  static Message decode(byte[] bytes) throws IOException {
    DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
    int version = in.readUnsignedByte();
    if (version != VERSION) {
      throw new IOException("message of version " + version + " (expected: " + VERSION + ")");
    }
    int kind = in.readUnsignedByte();
    return switch (kind) {
      case 1 -> new Collect(readId(in), in.readInt(), in.readLong());
      case 2 -> new Answer(readId(in), in.readInt(), in.readLong(), CountVector.read(in));
      case 3 -> {
        long ageNanos = in.readLong();
        yield new Common(SharedCopy.read(in), ageNanos);
      }
      case 4 -> new Farewell(readId(in));
      default -> throw new IOException("message of kind " + kind + " (expected: 1 to 4)");
    };
  }

  /// Writes a process's id.
  static void writeId(DataOutput out, UUID id) throws IOException {
    out.writeLong(id.getMostSignificantBits());
    out.writeLong(id.getLeastSignificantBits());
  }

  /// Reads a process's id.
  static UUID readId(DataInput in) throws IOException {
    return new UUID(in.readLong(), in.readLong());
  }
}
