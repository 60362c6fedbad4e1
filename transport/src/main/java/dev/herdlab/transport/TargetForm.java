package dev.herdlab.transport;

import io.netty.util.AsciiString;

/// The four forms of a request's target, and which one a method may have.
///
/// Owner thread: any. Source: RFC 9112 section 3.2. Deviation: the absolute form is taken with the
/// scheme `http` alone, and without user information, which RFC 9110 section 4.2.4 tells to treat
/// as an error.
final class TargetForm {
  private static final AsciiString SCHEME = AsciiString.cached("http://");
  private static final AsciiString CONNECT = AsciiString.cached("CONNECT");
  private static final AsciiString OPTIONS = AsciiString.cached("OPTIONS");

  private TargetForm() {}

  /// Notes where the authority of an absolute form is.
  ///
  /// @return false if the target has no form that the method may have
  static boolean accept(Head head) {
    byte[] octets = head.octets;
    int start = head.targetStart();
    int end = head.targetEnd();
    head.authorityStart = -1;
    head.authorityEnd = -1;
    if (head.methodIs(CONNECT)) {
      return authorityEnd(octets, start, end) == end;
    }
    if (octets[start] == '/') {
      return true;
    }
    if (octets[start] == '*') {
      return end - start == 1 && head.methodIs(OPTIONS);
    }
    int authority = start + SCHEME.length();
    if (authority >= end || !Octets.equalsIgnoringCase(octets, start, authority, SCHEME)) {
      return false;
    }
    head.authorityStart = authority;
    head.authorityEnd = authorityEnd(octets, authority, end);
    return head.authorityEnd > authority
        && (head.authorityEnd == end
            || octets[head.authorityEnd] == '/'
            || octets[head.authorityEnd] == '?');
  }

  private static int authorityEnd(byte[] octets, int start, int end) {
    int at = start;
    while (at < end && Octets.isHost(octets[at])) {
      at++;
    }
    return at;
  }
}
