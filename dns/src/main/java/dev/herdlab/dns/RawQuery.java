package dev.herdlab.dns;

import java.io.IOException;
import java.util.Optional;
import org.xbill.DNS.DNSInput;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.Type;

/// What can be told of a query whose parts may be malformed: enough to say so in a reply.
///
/// Owner thread: any (immutable).
///
/// @param id of the query
/// @param isResponse whether it is none: it must not be answered
/// @param opcode 0 to 15
/// @param recursionDesired a flag that is mirrored
/// @param question the first question; empty if there is none or it cannot be read
/// @param edns whether an OPT record can be found, so that the reply should carry one too
record RawQuery(
    int id,
    boolean isResponse,
    int opcode,
    boolean recursionDesired,
    Optional<Record> question,
    boolean edns) {
  /// A message's header is 12 bytes: what is shorter is noise.
  static final int HEADER_BYTES = 12;

  /// Looks at a packet of at least [#HEADER_BYTES] bytes.
  static RawQuery of(byte[] packet) {
    DNSInput in = new DNSInput(packet);
    Optional<Record> question = Optional.empty();
    boolean edns = false;
    int id;
    int flags;
    try {
      id = in.readU16();
      flags = in.readU16();
    } catch (IOException e) {
      throw new IllegalArgumentException("packet: " + packet.length + " bytes", e);
    }
    try {
      int questions = in.readU16();
      int records = in.readU16() + in.readU16() + in.readU16();
      for (int i = 0; i < questions; i++) {
        Record asked = Record.newRecord(new Name(in), in.readU16(), in.readU16());
        question = i == 0 ? Optional.of(asked) : question;
      }
      for (int i = 0; i < records && !edns; i++) {
        edns = isOpt(in);
      }
    } catch (IOException | RuntimeException malformed) {
      // What has been read until here is what can be told.
    }
    return new RawQuery(
        id, (flags & 0x8000) != 0, flags >> 11 & 0xF, (flags & 0x0100) != 0, question, edns);
  }

  private static boolean isOpt(DNSInput in) throws IOException {
    Name owner = new Name(in);
    int type = in.readU16();
    in.readU16();
    in.readU32();
    int length = in.readU16();
    if (type == Type.OPT && owner.equals(Name.root)) {
      return true;
    }
    in.readByteArray(length);
    return false;
  }
}
