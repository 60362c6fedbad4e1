package dev.herdlab.dns;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.util.List;
import java.util.Optional;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Header;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// Makes a reply of a packet: one for a query, none for noise and for what is a reply itself.
///
/// Sources: RFC 1035; RFC 6891 (EDNS: version 0, payload sizes, BADVERS); RFC 7871 (client
/// subnets); RFC 9619 (one question). The size of a reply over UDP is bounded by what the query
/// allows, so that a forged sender is sent little. Owner thread: the server's.
final class Responder {
  private static final Logger LOG = System.getLogger(Responder.class.getName());

  /// What fits into a packet without EDNS.
  static final int PLAIN_UDP_BYTES = 512;

  /// The most that is sent in one packet, whatever a query allows; the usual bound of servers.
  static final int MAX_UDP_BYTES = 4096;

  private static final int BADVERS = 16;
  private static final int FLAGS_BYTE = 2;
  private static final int TC_BIT = 0x02;

  private final Authority authority;

  /// How a query came.
  enum Transport {
    UDP,
    TCP
  }

  Responder(Authority authority) {
    this.authority = authority;
  }

  /// The reply; empty if none is due.
  ///
  /// @param source where the packet came from
  Optional<byte[]> respond(byte[] packet, InetAddress source, Transport transport) {
    if (packet.length < RawQuery.HEADER_BYTES) {
      return Optional.empty();
    }
    RawQuery raw = RawQuery.of(packet);
    if (raw.isResponse()) {
      return Optional.empty();
    }
    if (raw.opcode() != Opcode.QUERY) {
      return Optional.of(error(raw, Rcode.NOTIMP));
    }
    Message query;
    try {
      query = new Message(packet);
    } catch (IOException | RuntimeException malformed) {
      // dnsjava throws the second for some addresses in a client subnet.
      return Optional.of(error(raw, Rcode.FORMERR));
    }
    try {
      return Optional.of(reply(raw, query, source, transport));
    } catch (RuntimeException e) {
      // A fault of ours must not end the service for all.
      LOG.log(Level.WARNING, "query not answered", e);
      return Optional.of(error(raw, Rcode.SERVFAIL));
    }
  }

  private byte[] reply(RawQuery raw, Message query, InetAddress source, Transport transport) {
    List<OPTRecord> opts =
        query.getSection(Section.ADDITIONAL).stream()
            .filter(OPTRecord.class::isInstance)
            .map(OPTRecord.class::cast)
            .toList();
    Optional<OPTRecord> opt = opts.stream().findFirst();
    List<ClientSubnetOption> subnets =
        opt.stream()
            .flatMap(o -> o.getOptions(EDNSOption.Code.CLIENT_SUBNET).stream())
            .map(ClientSubnetOption.class::cast)
            .toList();
    if (opt.isPresent() && opt.get().getVersion() > 0) {
      return error(raw, BADVERS);
    }
    if (opts.size() > 1
        || query.getSection(Section.QUESTION).size() != 1
        || subnets.size() > 1
        || subnets.stream().anyMatch(Responder::isMalformed)) {
      return error(raw, Rcode.FORMERR);
    }
    Record question = query.getSection(Section.QUESTION).getFirst();
    boolean transfer = question.getType() == Type.AXFR || question.getType() == Type.IXFR;
    if (question.getDClass() != DClass.IN || transfer) {
      return error(raw, Rcode.REFUSED);
    }
    Optional<ClientSubnetOption> subnet = subnets.stream().findFirst();
    Authority.Answer answer =
        authority.answer(question.getName(), question.getType(), client(subnet, source));
    Message reply = message(raw, answer);
    opt.ifPresent(asked -> reply.addRecord(opt(asked, subnet, answer.scope()), Section.ADDITIONAL));
    int allowed = opt.map(OPTRecord::getPayloadSize).orElse(PLAIN_UDP_BYTES);
    byte[] wire =
        reply.toWire(
            transport == Transport.TCP
                ? Message.MAXLENGTH
                : Math.min(MAX_UDP_BYTES, Math.max(PLAIN_UDP_BYTES, allowed)));
    if ((wire[FLAGS_BYTE] & TC_BIT) == 0) {
      answer.given();
    }
    return wire;
  }

  /// dnsjava has checked lengths and padding. It makes an IPv4 address of an IPv6 one that holds
  /// one, and can then not write it; a query's scope must be 0.
  private static boolean isMalformed(ClientSubnetOption subnet) {
    boolean six = subnet.getAddress() instanceof Inet6Address;
    return six != (subnet.getFamily() == 2) || subnet.getScopePrefixLength() != 0;
  }

  /// A client that gives no bit of its subnet does not want to be known by it: it is answered as
  /// the sender is.
  private static Subnet client(Optional<ClientSubnetOption> subnet, InetAddress source) {
    return subnet
        .filter(given -> given.getSourcePrefixLength() > 0)
        .map(given -> new Subnet(given.getAddress(), given.getSourcePrefixLength()))
        .orElseGet(() -> Subnet.of(source));
  }

  private static Message message(RawQuery raw, Authority.Answer answer) {
    Message reply = empty(raw, answer.rcode());
    if (answer.authoritative()) {
      reply.getHeader().setFlag(Flags.AA);
    }
    raw.question().ifPresent(question -> reply.addRecord(question, Section.QUESTION));
    answer.answer().forEach(record -> reply.addRecord(record, Section.ANSWER));
    answer.authority().forEach(record -> reply.addRecord(record, Section.AUTHORITY));
    answer.additional().forEach(record -> reply.addRecord(record, Section.ADDITIONAL));
    return reply;
  }

  private static OPTRecord opt(OPTRecord asked, Optional<ClientSubnetOption> subnet, int scope) {
    List<EDNSOption> options =
        subnet
            .<EDNSOption>map(
                given ->
                    new ClientSubnetOption(
                        given.getSourcePrefixLength(),
                        given.getSourcePrefixLength() == 0 ? 0 : scope,
                        given.getAddress()))
            .stream()
            .toList();
    return new OPTRecord(MAX_UDP_BYTES, 0, 0, asked.getFlags() & ExtendedFlags.DO, options);
  }

  private static byte[] error(RawQuery raw, int rcode) {
    Message reply = empty(raw, rcode & 0xF);
    raw.question().ifPresent(question -> reply.addRecord(question, Section.QUESTION));
    if (raw.edns()) {
      reply.addRecord(new OPTRecord(MAX_UDP_BYTES, rcode >> 4, 0), Section.ADDITIONAL);
    }
    return reply.toWire(PLAIN_UDP_BYTES);
  }

  private static Message empty(RawQuery raw, int rcode) {
    Message reply = new Message(raw.id());
    Header header = reply.getHeader();
    header.setFlag(Flags.QR);
    header.setOpcode(raw.opcode());
    header.setRcode(rcode);
    if (raw.recursionDesired()) {
      header.setFlag(Flags.RD);
    }
    return reply;
  }
}
