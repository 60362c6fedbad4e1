package dev.herdlab.proxy;

import dev.herdlab.transport.Head;
import dev.herdlab.transport.KnownField;
import io.netty.buffer.ByteBuf;
import java.util.EnumSet;
import java.util.Set;

/// Writes the heads that one client's connection passes on: hop-by-hop fields and those that
/// `Connection` lists are left out, those between a proxy and its backend too, and of a response
/// what only a proxy may say of itself; `Via`
/// and `X-Forwarded-For` are added, everything else stays as it came.
///
/// A request of a 1.0 client goes on as 1.0, so that the backend sends no chunks, which that client
/// could not read; a purposeful downgrade in the words of RFC 9110 section 2.5.
///
/// Cost: a few block copies; no allocation. Owner thread: its connection's. Source: RFC 9110
/// sections 7.6.1 and 7.6.3; RFC 9112 sections 3.2.2, 3.2.4 and 9.
final class HeadRewriter {
  private static final byte[] ONE_DOT_ONE = Wire.ascii(" HTTP/1.1\r\n");
  private static final byte[] ONE_DOT_ZERO = Wire.ascii(" HTTP/1.0\r\nconnection: keep-alive\r\n");
  // Room for what is added to a head: status line, stamps, Via and the rest.
  private static final int ADDED_BYTES = 512;

  // What is left out beside the hop-by-hop fields.
  private static final Set<KnownField> OF_REQUEST = EnumSet.of(KnownField.X_FORWARDED_FOR);
  private static final Set<KnownField> OF_ABSOLUTE_REQUEST =
      EnumSet.of(KnownField.X_FORWARDED_FOR, KnownField.HOST);
  private static final Set<KnownField> OF_RESPONSE =
      EnumSet.of(
          KnownField.X_HERDLAB_CAUSE,
          KnownField.X_HERDLAB_PROXY,
          KnownField.X_HERDLAB_PROXY_STAMPS,
          KnownField.X_HERDLAB_ATTEMPTS);
  // RFC 9112 section 6: neither of the last two may stand in a response that has no body by its
  // status.
  private static final Set<KnownField> OF_RESPONSE_WITHOUT_BODY =
      EnumSet.of(
          KnownField.X_HERDLAB_CAUSE,
          KnownField.X_HERDLAB_PROXY,
          KnownField.X_HERDLAB_PROXY_STAMPS,
          KnownField.X_HERDLAB_ATTEMPTS,
          KnownField.CONTENT_LENGTH,
          KnownField.TRANSFER_ENCODING);

  private final byte[][] via;
  private final byte[] clientAddress;

  /// @param pseudonym the proxy's name in `Via`
  /// @param clientAddress as it stands in `X-Forwarded-For`
  HeadRewriter(String pseudonym, String clientAddress) {
    this.via =
        new byte[][] {
          Wire.ascii("via: 1.0 " + pseudonym + "\r\n"), Wire.ascii("via: 1.1 " + pseudonym + "\r\n")
        };
    this.clientAddress = Wire.ascii(clientAddress);
  }

  /// How many bytes a rewritten head takes at most.
  int room(Head head) {
    return head.size() + ADDED_BYTES;
  }

  /// Appends a request's head as the backend gets it, but for the empty line: others may add
  /// fields.
  void request(Head head, ByteBuf out) {
    byte[] octets = head.octets();
    if (head.authorityStart() < 0) {
      out.writeBytes(octets, head.methodStart(), head.targetEnd() - head.methodStart());
      out.writeBytes(head.minorVersion() == 1 ? ONE_DOT_ONE : ONE_DOT_ZERO);
    } else {
      originForm(head, out);
    }
    fields(head, out, head.authorityStart() < 0 ? OF_REQUEST : OF_ABSOLUTE_REQUEST);
    out.writeBytes(via[head.minorVersion()]);
    out.writeBytes(Wire.X_FORWARDED_FOR);
    forwardedFor(head, out);
    out.writeBytes(clientAddress);
    out.writeShort(Wire.CRLF);
  }

  // The authority of the target takes the place of Host, whatever that says.
  private static void originForm(Head head, ByteBuf out) {
    byte[] octets = head.octets();
    int path = head.authorityEnd();
    out.writeBytes(octets, head.methodStart(), head.methodEnd() - head.methodStart());
    out.writeByte(' ');
    if (path == head.targetEnd()) {
      out.writeByte(head.methodIs(Methods.OPTIONS) ? '*' : '/');
    } else if (octets[path] != '/') {
      out.writeByte('/');
    }
    out.writeBytes(octets, path, head.targetEnd() - path);
    out.writeBytes(head.minorVersion() == 1 ? ONE_DOT_ONE : ONE_DOT_ZERO);
    out.writeBytes(Wire.HOST);
    out.writeBytes(octets, head.authorityStart(), path - head.authorityStart());
    out.writeShort(Wire.CRLF);
  }

  /// Appends a response's head as the client gets it, but for the empty line: others may add
  /// fields.
  void response(Head head, ByteBuf out) {
    int status = head.status();
    out.writeBytes(Wire.HTTP_1_1);
    out.writeByte('0' + status / 100);
    out.writeByte('0' + status / 10 % 10);
    out.writeByte('0' + status % 10);
    out.writeByte(' ');
    out.writeBytes(head.octets(), head.reasonStart(), head.reasonEnd() - head.reasonStart());
    out.writeShort(Wire.CRLF);
    fields(head, out, status < 200 || status == 204 ? OF_RESPONSE_WITHOUT_BODY : OF_RESPONSE);
    out.writeBytes(via[head.minorVersion()]);
  }

  /// Appends the field that tells a client what becomes of the connection, where it does not go
  /// without saying.
  static void connection(Head request, boolean keepAlive, ByteBuf out) {
    if (!keepAlive) {
      out.writeBytes(Wire.CONNECTION_CLOSE);
    } else if (request.minorVersion() == 0) {
      out.writeBytes(Wire.CONNECTION_KEEP_ALIVE);
    }
  }

  // Copies runs of neighbouring fields at once; leaves out hop-by-hop ones too.
  private static void fields(Head head, ByteBuf out, Set<KnownField> dropped) {
    byte[] octets = head.octets();
    int run = -1;
    for (int i = 0; i < head.fields(); i++) {
      if (dropped.contains(head.known(i)) || head.endsAtHop(i)) {
        if (run >= 0) {
          out.writeBytes(octets, run, head.nameStart(i) - run);
          run = -1;
        }
      } else if (run < 0) {
        run = head.nameStart(i);
      }
    }
    if (run >= 0) {
      out.writeBytes(octets, run, head.size() - 2 - run);
    }
  }

  // One field with the whole list: some backends read the first of several only.
  private static void forwardedFor(Head head, ByteBuf out) {
    for (int i = 0; i < head.fields(); i++) {
      if (head.known(i) == KnownField.X_FORWARDED_FOR && head.valueEnd(i) > head.valueStart(i)) {
        out.writeBytes(head.octets(), head.valueStart(i), head.valueEnd(i) - head.valueStart(i));
        out.writeBytes(Wire.LIST_SEPARATOR);
      }
    }
  }
}
