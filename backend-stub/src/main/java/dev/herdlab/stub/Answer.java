package dev.herdlab.stub;

import dev.herdlab.transport.HeaderNames;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// What goes back for one request, but for what is known only when it does.
///
/// Owner thread: any (immutable; its arrays are not to be written to).
@SuppressWarnings("ArrayRecordComponent") // answers are written, never compared
public sealed interface Answer {
  /// What a backend whose queue is at its limit says.
  Response SHED = shed();

  /// What becomes of the connection after the answer.
  Ending ending();

  /// What becomes of a connection.
  enum Ending {
    /// It goes on, if the client wants it to.
    KEEP,
    /// It is closed.
    CLOSE,
    /// It is reset; what was written may be lost.
    RESET
  }

  /// A response. The backend adds its id, the stamps if the request was served, and `Connection`.
  ///
  /// @param head status line and fields, each with its line's end; without the empty line, without
  ///     `Connection` and with the field that frames `body`
  /// @param body empty if the response has none; left out where the request was HEAD
  record Response(byte[] head, byte[] body, Ending ending) implements Answer {}

  /// What is no response: bytes as they are, perhaps none.
  ///
  /// @param ending not `KEEP`: no client could go on after it
  record Broken(byte[] bytes, Ending ending) implements Answer {
    public Broken {
      if (ending == Ending.KEEP) {
        throw new IllegalArgumentException("ending: KEEP (expected: CLOSE or RESET)");
      }
    }
  }

  /// A response with a line of text for people.
  ///
  /// @param status code and reason, such as `503 Service Unavailable`
  /// @param text ASCII, without a line's end
  static Response text(String status, String text) {
    byte[] body = (text + "\n").getBytes(StandardCharsets.US_ASCII);
    return new Response(textHead(status, body.length), body, Ending.KEEP);
  }

  private static Response shed() {
    Response text = text("503 Service Unavailable", "the queue is at its limit");
    byte[] refusal =
        (HeaderNames.REFUSAL + ": " + HeaderNames.SHED + "\r\n")
            .getBytes(StandardCharsets.US_ASCII);
    byte[] head = Arrays.copyOf(text.head, text.head.length + refusal.length);
    System.arraycopy(refusal, 0, head, text.head.length, refusal.length);
    return new Response(head, text.body, text.ending);
  }

  /// The head of a response that carries plain text.
  static byte[] textHead(String status, int bodyBytes) {
    String head =
        "HTTP/1.1 %s\r\ncontent-type: text/plain\r\ncontent-length: %d\r\n"
            .formatted(status, bodyBytes);
    return head.getBytes(StandardCharsets.US_ASCII);
  }
}
