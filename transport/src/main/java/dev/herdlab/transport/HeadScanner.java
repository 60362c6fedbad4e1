package dev.herdlab.transport;

import io.netty.buffer.ByteBuf;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// A strict scanner of the head of an HTTP/1.1 message: start line and header fields up to the
/// empty line, kept as offsets into its own copy of the bytes.
///
/// It takes bytes as they come ([#scan] eats them) and never looks at one again, so no buffer needs
/// to be kept between reads; the body's first byte is where the reader index stands once the head
/// is complete. Accessors are valid from then until [#reset], whatever becomes of the buffers.
///
/// Refused: line ends other than CR LF, control characters, white space before a colon, folded
/// lines, names that are no tokens, versions other than 1.0 and 1.1, and every doubt about the
/// length (see `HeadFraming`). Accepted beyond the grammar: one empty line before a request (RFC
/// 9112 section 2.2), and a status line without the space before an empty reason.
///
/// Cost: about two table reads a byte; no allocation once its arrays have grown. Owner thread: its
/// connection's.
/// Source: RFC 9112 sections 2 to 5.
public final class HeadScanner {
  private static final byte CR = '\r';
  private static final byte LF = '\n';
  private static final int FIRST_BYTES = 1024;
  private static final byte[] VERSION = "HTTP/1.".getBytes(StandardCharsets.US_ASCII);

  private final Kind kind;
  private final HeadLimits limits;
  private final Head head;
  private int position;
  private int lineStart;
  private Phase phase = Phase.START_LINE;
  private String refusal = "";

  /// Which of the two start lines is expected.
  public enum Kind {
    /// A request line.
    REQUEST,
    /// A status line.
    RESPONSE
  }

  /// How far the scan is.
  public enum Result {
    /// More bytes are needed; all bytes given were eaten.
    INCOMPLETE,
    /// The head is there; the rest of the bytes was not eaten.
    COMPLETE,
    /// The message is refused for good; [#refusal] says why.
    MALFORMED
  }

  private enum Phase {
    START_LINE,
    FIELDS,
    COMPLETE,
    MALFORMED
  }

  /// A scanner for one message after another.
  public HeadScanner(Kind kind, HeadLimits limits) {
    this.kind = kind;
    this.limits = limits;
    this.head = new Head(Math.min(FIRST_BYTES, limits.maxBytes()));
  }

  /// Makes ready for the next message.
  public void reset() {
    head.reset();
    position = 0;
    lineStart = 0;
    phase = Phase.START_LINE;
    refusal = "";
  }

  /// True once the first byte of a message was eaten.
  public boolean started() {
    return head.size > 0;
  }

  /// Eats bytes up to the end of the head. After `COMPLETE` or `MALFORMED` call [#reset] first.
  public Result scan(ByteBuf in) {
    while (phase == Phase.START_LINE || phase == Phase.FIELDS) {
      int eaten = eat(in);
      if (eaten == 0) {
        if (head.size == limits.maxBytes()) {
          return refuse("the head is larger than " + limits.maxBytes() + " bytes");
        }
        return Result.INCOMPLETE;
      }
      lines();
      if (phase == Phase.COMPLETE) {
        // What was copied beyond the head belongs to the body.
        in.readerIndex(in.readerIndex() - (head.size - position));
        head.size = position;
      }
    }
    return phase == Phase.COMPLETE ? Result.COMPLETE : Result.MALFORMED;
  }

  // Copies what is there, a limited piece at a time: most of a large read is body.
  private int eat(ByteBuf in) {
    if (head.size == head.octets.length && head.size < limits.maxBytes()) {
      head.octets = Arrays.copyOf(head.octets, Math.min(2 * head.octets.length, limits.maxBytes()));
    }
    int count = Math.min(in.readableBytes(), head.octets.length - head.size);
    in.readBytes(head.octets, head.size, count);
    head.size += count;
    return count;
  }

  private void lines() {
    byte[] bytes = head.octets;
    int at = position;
    while (true) {
      while (at < head.size && Octets.isText(bytes[at])) {
        at++;
      }
      position = at;
      if (at == head.size) {
        return;
      }
      if (bytes[at] != CR) {
        refuse(bytes[at] == LF ? "a line feed without carriage return" : "a control character");
        return;
      }
      if (at + 1 == head.size) {
        return;
      }
      if (bytes[at + 1] != LF) {
        refuse("a carriage return without line feed");
        return;
      }
      line(lineStart, at);
      at += 2;
      lineStart = at;
      position = at;
      if (phase == Phase.COMPLETE || phase == Phase.MALFORMED) {
        return;
      }
    }
  }

  private void line(int start, int end) {
    if (phase == Phase.START_LINE) {
      if (start == end) {
        if (kind == Kind.RESPONSE || start > 0) {
          refuse("an empty line before the start line");
        }
        return;
      }
      if (kind == Kind.REQUEST) {
        requestLine(start, end);
      } else {
        statusLine(start, end);
      }
    } else if (start == end) {
      String doubt = head.framing.judge(kind == Kind.REQUEST, head.minorVersion);
      if (doubt == null) {
        phase = Phase.COMPLETE;
      } else {
        refuse(doubt);
      }
    } else {
      field(start, end);
    }
  }

  private void requestLine(int start, int end) {
    int at = start;
    while (at < end && Octets.isToken(head.octets[at])) {
      at++;
    }
    head.firstStart = start;
    head.firstEnd = at;
    if (at == start || at == end || head.octets[at] != ' ') {
      refuse("the method is not a token followed by one space");
      return;
    }
    head.secondStart = ++at;
    while (at < end && Octets.isTarget(head.octets[at])) {
      at++;
    }
    head.secondEnd = at;
    if (at == head.secondStart || at == end || head.octets[at] != ' ') {
      refuse("the target is not visible ASCII followed by one space");
      return;
    }
    if (!TargetForm.accept(head)) {
      refuse("the target has no form that goes with the method");
      return;
    }
    if (!version(at + 1, end)) {
      refuse("the version is not HTTP/1.1 or HTTP/1.0");
      return;
    }
    phase = Phase.FIELDS;
  }

  private void statusLine(int start, int end) {
    int code = start + VERSION.length + 2;
    if (end < code + 3 || head.octets[code - 1] != ' ' || !version(start, code - 1)) {
      refuse("the status line does not begin with HTTP/1.1 or HTTP/1.0, a space and a code");
      return;
    }
    for (int i = code; i < code + 3; i++) {
      if (!Octets.isDigit(head.octets[i])) {
        refuse("the status code is not a number");
        return;
      }
    }
    head.status =
        (head.octets[code] - '0') * 100
            + (head.octets[code + 1] - '0') * 10
            + head.octets[code + 2]
            - '0';
    if (head.status < 100 || (end > code + 3 && head.octets[code + 3] != ' ')) {
      refuse("the status code is not three digits from 100 on");
      return;
    }
    head.firstStart = code;
    head.firstEnd = code + 3;
    head.secondStart = Math.min(end, code + 4);
    head.secondEnd = end;
    phase = Phase.FIELDS;
  }

  private boolean version(int start, int end) {
    if (end - start != VERSION.length + 1) {
      return false;
    }
    for (int i = 0; i < VERSION.length; i++) {
      if (head.octets[start + i] != VERSION[i]) {
        return false;
      }
    }
    head.minorVersion = head.octets[end - 1] - '0';
    return head.minorVersion == 0 || head.minorVersion == 1;
  }

  private void field(int start, int end) {
    int colon = start;
    while (colon < end && Octets.isToken(head.octets[colon])) {
      colon++;
    }
    if (colon == start || colon == end || head.octets[colon] != ':') {
      refuse("a field's name is not a token followed by a colon");
      return;
    }
    if (head.fields() == limits.maxFields()) {
      refuse("more than " + limits.maxFields() + " fields");
      return;
    }
    int valueStart = colon + 1;
    int valueEnd = end;
    while (valueStart < valueEnd && Octets.isBlank(head.octets[valueStart])) {
      valueStart++;
    }
    while (valueEnd > valueStart && Octets.isBlank(head.octets[valueEnd - 1])) {
      valueEnd--;
    }
    KnownField field = KnownField.of(head.octets, start, colon);
    head.append(field, start, colon, valueStart, valueEnd);
    if (field != KnownField.OTHER) {
      String doubt = head.framing.take(field, head.octets, valueStart, valueEnd);
      if (doubt != null) {
        refuse(doubt);
      }
    }
  }

  private Result refuse(String reason) {
    phase = Phase.MALFORMED;
    refusal = reason;
    return Result.MALFORMED;
  }

  /// Why the message is refused; empty unless it is.
  public String refusal() {
    return refusal;
  }

  /// The head being scanned; to be read once the scan is complete.
  public Head head() {
    return head;
  }
}
