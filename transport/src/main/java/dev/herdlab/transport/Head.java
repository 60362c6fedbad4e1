package dev.herdlab.transport;

import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The head of one HTTP/1.1 message as a [HeadScanner] left it: bytes, and offsets of the parts in
/// them.
///
/// Valid from the scan's completion until the scanner's reset. Accessors by offset allocate
/// nothing; those that return a `String` are for rare paths.
///
/// Cost: O(1) unless stated. Owner thread: its scanner's.
public final class Head {
  private static final int OFFSETS = 4;
  private static final int FIRST_FIELDS = 16;

  final HeadFraming framing = new HeadFraming();
  byte[] octets;
  int size;
  // Request: method and target. Response: status code and reason.
  int firstStart;
  int firstEnd;
  int secondStart;
  int secondEnd;
  int authorityStart = -1;
  int authorityEnd = -1;
  int minorVersion;
  int status;

  // Name start and end, value start and end of each field.
  private int[] offsets = new int[FIRST_FIELDS * OFFSETS];
  private KnownField[] known = new KnownField[FIRST_FIELDS];
  private int fields;

  Head(int bytes) {
    octets = new byte[bytes];
    framing.reset();
  }

  void reset() {
    size = 0;
    fields = 0;
    framing.reset();
  }

  void append(KnownField field, int name, int nameEnd, int value, int valueEnd) {
    if (fields == known.length) {
      known = Arrays.copyOf(known, 2 * fields);
      offsets = Arrays.copyOf(offsets, 2 * fields * OFFSETS);
    }
    known[fields] = field;
    int at = fields++ * OFFSETS;
    offsets[at] = name;
    offsets[at + 1] = nameEnd;
    offsets[at + 2] = value;
    offsets[at + 3] = valueEnd;
  }

  /// The bytes that all offsets point into; not to be written to.
  public byte[] octets() {
    return octets;
  }

  /// Bytes of the head, the empty line included.
  public int size() {
    return size;
  }

  /// 1 for HTTP/1.1, 0 for HTTP/1.0.
  public int minorVersion() {
    return minorVersion;
  }

  /// First byte of a request's method.
  public int methodStart() {
    return firstStart;
  }

  /// End of a request's method.
  public int methodEnd() {
    return firstEnd;
  }

  /// Whether the request's method is this one; methods are case-sensitive. O(length).
  public boolean methodIs(AsciiString method) {
    return Arrays.equals(
        octets,
        firstStart,
        firstEnd,
        method.array(),
        method.arrayOffset(),
        method.arrayOffset() + method.length());
  }

  /// First byte of a request's target.
  public int targetStart() {
    return secondStart;
  }

  /// End of a request's target.
  public int targetEnd() {
    return secondEnd;
  }

  /// First byte of the authority of a target in absolute form; -1 in all other forms.
  public int authorityStart() {
    return authorityStart;
  }

  /// End of the authority of a target in absolute form; -1 in all other forms.
  public int authorityEnd() {
    return authorityEnd;
  }

  /// A response's status code, 100 to 999.
  public int status() {
    return status;
  }

  /// First byte of a response's reason.
  public int reasonStart() {
    return secondStart;
  }

  /// End of a response's reason, which may be empty.
  public int reasonEnd() {
    return secondEnd;
  }

  /// Number of header fields.
  public int fields() {
    return fields;
  }

  /// What field `i` is to a proxy.
  public KnownField known(int i) {
    return known[i];
  }

  /// First byte of the name of field `i`; its line begins here.
  public int nameStart(int i) {
    return offsets[i * OFFSETS];
  }

  /// End of the name of field `i`.
  public int nameEnd(int i) {
    return offsets[i * OFFSETS + 1];
  }

  /// First byte of the value of field `i`, white space stripped.
  public int valueStart(int i) {
    return offsets[i * OFFSETS + 2];
  }

  /// End of the value of field `i`, white space stripped.
  public int valueEnd(int i) {
    return offsets[i * OFFSETS + 3];
  }

  /// The bytes from `start` to `end` as text, one character a byte.
  public String text(int start, int end) {
    return new String(octets, start, end - start, StandardCharsets.ISO_8859_1);
  }

  /// Index of the first field named so, or -1. O(fields).
  ///
  /// @param name in lower case
  public int find(AsciiString name) {
    return find(name, 0);
  }

  /// Index of the first field named so from field `from` on, or -1. O(fields).
  ///
  /// @param name in lower case
  public int find(AsciiString name, int from) {
    for (int i = from; i < fields; i++) {
      if (Octets.equalsIgnoringCase(octets, nameStart(i), nameEnd(i), name)) {
        return i;
      }
    }
    return -1;
  }

  /// Index of the first field of this kind, or -1. O(fields), without looking at a name.
  public int find(KnownField field) {
    for (int i = 0; i < fields; i++) {
      if (known[i] == field) {
        return i;
      }
    }
    return -1;
  }

  /// Where the path of a request's target begins: behind the authority of the absolute form, which
  /// may be its end. O(1).
  public int pathStart() {
    return authorityStart < 0 ? secondStart : authorityEnd;
  }

  /// Where it ends: before the query, or at the target's end. O(length).
  public int pathEnd() {
    int at = pathStart();
    while (at < secondEnd && octets[at] != '?') {
      at++;
    }
    return at;
  }

  /// Whether a request's path, without the query, is this one. O(length).
  public boolean pathIs(AsciiString path) {
    int start = pathStart();
    int end = start + path.length();
    return end <= secondEnd
        && (end == secondEnd || octets[end] == '?')
        && Arrays.equals(
            octets,
            start,
            end,
            path.array(),
            path.arrayOffset(),
            path.arrayOffset() + path.length());
  }

  /// The value of field `i` as a decimal number of at most 18 digits, or `otherwise` if it is none.
  /// O(digits).
  public long number(int i, long otherwise) {
    return number(valueStart(i), valueEnd(i), otherwise);
  }

  /// The bytes from `start` to `end` as such a number.
  public long number(int start, int end, long otherwise) {
    if (start == end || end - start > HeadFraming.MAX_LENGTH_DIGITS) {
      return otherwise;
    }
    long number = 0;
    for (int at = start; at < end; at++) {
      if (!Octets.isDigit(octets[at])) {
        return otherwise;
      }
      number = number * 10 + octets[at] - '0';
    }
    return number;
  }

  /// Whether the connection persists after this message, by version and `Connection` alone.
  public boolean keepAlive() {
    return framing.keepAlive(minorVersion);
  }

  /// The declared length of the body, or -1.
  public long contentLength() {
    return framing.contentLength();
  }

  /// Whether the body comes in chunks.
  public boolean chunked() {
    return framing.chunked();
  }

  /// Whether the request asks to be told to continue.
  public boolean expectsContinue() {
    return framing.expectsContinue() && minorVersion == 1;
  }

  /// Whether a proxy removes field `i`: hop-by-hop by its name, or listed in `Connection`. O(1), or
  /// O(size of the Connection fields) in the rare head that lists names.
  public boolean endsAtHop(int i) {
    return known[i].endsAtHop() || (framing.listsNames() && listedInConnection(i));
  }

  private boolean listedInConnection(int i) {
    for (int c = 0; c < fields; c++) {
      if (known[c] == KnownField.CONNECTION && lists(c, nameStart(i), nameEnd(i))) {
        return true;
      }
    }
    return false;
  }

  private boolean lists(int connection, int name, int nameEnd) {
    int end = valueEnd(connection);
    int at = valueStart(connection);
    while (at < end) {
      int option = at;
      while (at < end && Octets.isToken(octets[at])) {
        at++;
      }
      if (Octets.equalsIgnoringCase(octets, option, at, name, nameEnd)) {
        return true;
      }
      at = Math.max(at, option + 1);
    }
    return false;
  }
}
