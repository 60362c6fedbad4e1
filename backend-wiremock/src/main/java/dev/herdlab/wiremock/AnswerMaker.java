package dev.herdlab.wiremock;

import com.github.tomakehurst.wiremock.http.Fault;
import com.github.tomakehurst.wiremock.http.HttpHeader;
import com.github.tomakehurst.wiremock.http.Response;
import dev.herdlab.stub.Answer;
import dev.herdlab.stub.Answer.Ending;
import io.netty.handler.codec.http.HttpResponseStatus;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Puts a response of WireMock's into bytes.
///
/// Left out are the fields that frame a message or belong to the connection (a `Connection: close`
/// is obeyed), and those that are Herdlab's. What no field may carry becomes a space or `?`. Owner
/// thread: any.
final class AnswerMaker {
  private static final int NO_CONTENT = 204;
  private static final int NOT_MODIFIED = 304;
  private static final byte[] NOTHING = new byte[0];
  private static final byte[] GARBAGE =
      "\u0001 neither a head nor a chunk \u0002".getBytes(StandardCharsets.ISO_8859_1);
  private static final byte[] MALFORMED_CHUNK =
      "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\nneither a size nor an end\r\n"
          .getBytes(StandardCharsets.ISO_8859_1);

  private AnswerMaker() {}

  /// What a fault of a mapping sends.
  static Answer broken(Fault fault) {
    return switch (fault) {
      case CONNECTION_RESET_BY_PEER -> new Answer.Broken(NOTHING, Ending.RESET);
      case EMPTY_RESPONSE -> new Answer.Broken(NOTHING, Ending.CLOSE);
      case MALFORMED_RESPONSE_CHUNK -> new Answer.Broken(MALFORMED_CHUNK, Ending.CLOSE);
      case RANDOM_DATA_THEN_CLOSE -> new Answer.Broken(GARBAGE, Ending.CLOSE);
    };
  }

  /// A response; its body may be read from a file here.
  static Answer.Response response(Response response) {
    byte[] body = response.getBody();
    return response(response, body == null ? NOTHING : body);
  }

  private static Answer.Response response(Response response, byte[] body) {
    int status = response.getStatus();
    if (status < 200 || status > 999) {
      return Answer.text("500 Server Error", "a mapping's status is " + status);
    }
    StringBuilder head = begin(status, response.getStatusMessage());
    Ending ending = Ending.KEEP;
    for (HttpHeader header : response.getHeaders().all()) {
      String name = header.key().toLowerCase(Locale.ROOT);
      for (String value : header.getValues()) {
        if (name.equals("connection")) {
          ending = value.equalsIgnoreCase("close") ? Ending.CLOSE : ending;
        } else if (isOwn(name)) {
          line(head, header.key(), value);
        }
      }
    }
    return end(head, status, body, ending);
  }

  /// A response that is a text or a file.
  static Answer.Response response(int status, @Nullable String contentType, byte[] body) {
    StringBuilder head = begin(status, null);
    if (contentType != null) {
      line(head, "Content-Type", contentType);
    }
    return end(head, status, body, Ending.KEEP);
  }

  private static StringBuilder begin(int status, @Nullable String reason) {
    StringBuilder head = new StringBuilder(256).append("HTTP/1.1 ").append(status).append(' ');
    text(head, reason == null ? HttpResponseStatus.valueOf(status).reasonPhrase() : reason);
    return head.append("\r\n");
  }

  private static Answer.Response end(StringBuilder head, int status, byte[] body, Ending ending) {
    boolean bodiless = status == NO_CONTENT || status == NOT_MODIFIED;
    if (!bodiless) {
      head.append("content-length: ").append(body.length).append("\r\n");
    }
    return new Answer.Response(
        head.toString().getBytes(StandardCharsets.ISO_8859_1), bodiless ? NOTHING : body, ending);
  }

  private static boolean isOwn(String name) {
    boolean framing =
        switch (name) {
          case "content-length", "transfer-encoding", "trailer", "keep-alive", "upgrade" -> true;
          default -> false;
        };
    return !framing && !name.startsWith("x-herdlab-") && isToken(name);
  }

  private static boolean isToken(String name) {
    return !name.isEmpty()
        && name.chars()
            .allMatch(
                c ->
                    (c >= 'a' && c <= 'z')
                        || (c >= '0' && c <= '9')
                        || "!#$%&'*+-.^_`|~".indexOf(c) >= 0);
  }

  private static void line(StringBuilder head, String name, String value) {
    head.append(name).append(": ");
    text(head, value);
    head.append("\r\n");
  }

  private static void text(StringBuilder head, String value) {
    for (int i = 0; i < value.length(); i++) {
      char c = value.charAt(i);
      boolean control = (c < ' ' && c != '\t') || c == 0x7F;
      head.append(control ? ' ' : c > 0xFF ? '?' : c);
    }
  }
}
