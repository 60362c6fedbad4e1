package dev.herdlab.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@SuppressWarnings("StringConcatToTextBlock") // Line ends are CR LF, which a text block hides.
class HeadScannerTest {
  private static final String REQUEST =
      "GET /a?b=c HTTP/1.1\r\nHost: h:80\r\nX-Empty:\r\nX-Padded: \t two words \t\r\n"
          + "Connection: close, X-Mine\r\nX-Mine: 1\r\nContent-Length: 5\r\n\r\n";

  private final HeadScanner requests =
      new HeadScanner(HeadScanner.Kind.REQUEST, new HeadLimits(512, 10));
  private final HeadScanner responses =
      new HeadScanner(HeadScanner.Kind.RESPONSE, new HeadLimits(512, 10));

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
  }

  private static String describe(Head head) {
    List<String> parts = new ArrayList<>();
    parts.add(head.text(head.methodStart(), head.methodEnd()));
    parts.add(head.text(head.targetStart(), head.targetEnd()));
    for (int i = 0; i < head.fields(); i++) {
      parts.add(
          head.text(head.nameStart(i), head.nameEnd(i))
              + "="
              + head.text(head.valueStart(i), head.valueEnd(i))
              + (head.endsAtHop(i) ? " (hop)" : ""));
    }
    parts.add("%d %s %s".formatted(head.contentLength(), head.chunked(), head.keepAlive()));
    return String.join("|", parts);
  }

  @Test
  void takesARequestApart() {
    ByteBuf in = bytes(REQUEST + "hello");
    assertThat(requests.scan(in)).isEqualTo(HeadScanner.Result.COMPLETE);
    assertThat(describe(requests.head()))
        .isEqualTo(
            "GET|/a?b=c|Host=h:80|X-Empty=|X-Padded=two words|Connection=close, X-Mine (hop)"
                + "|X-Mine=1 (hop)|Content-Length=5|5 false false");
    assertThat(in.toString(StandardCharsets.US_ASCII)).isEqualTo("hello");
    assertThat(requests.head().size()).isEqualTo(REQUEST.length());
  }

  @Test
  void givesTheSameResultWhereverTheHeadIsSplit() {
    assertThat(requests.scan(bytes(REQUEST))).isEqualTo(HeadScanner.Result.COMPLETE);
    String whole = describe(requests.head());
    for (int first = 0; first <= REQUEST.length(); first++) {
      for (int second = first; second <= REQUEST.length(); second += 7) {
        requests.reset();
        HeadScanner.Result result = requests.scan(bytes(REQUEST.substring(0, first)));
        if (result == HeadScanner.Result.INCOMPLETE) {
          result = requests.scan(bytes(REQUEST.substring(first, second)));
        }
        if (result == HeadScanner.Result.INCOMPLETE) {
          ByteBuf rest = bytes(REQUEST.substring(second) + "tail");
          result = requests.scan(rest);
          assertThat(rest.toString(StandardCharsets.US_ASCII)).isEqualTo("tail");
        }
        assertThat(result)
            .as("split at %d and %d", first, second)
            .isEqualTo(HeadScanner.Result.COMPLETE);
        assertThat(describe(requests.head())).isEqualTo(whole);
      }
    }
  }

  @Test
  void refusesTheSameWhereverTheHeadIsSplit() {
    String bad = "GET / HTTP/1.1\r\nHost: h\r\nX: a\nb\r\n\r\n";
    for (int at = 0; at <= bad.length(); at++) {
      requests.reset();
      HeadScanner.Result result = requests.scan(bytes(bad.substring(0, at)));
      if (result == HeadScanner.Result.INCOMPLETE) {
        result = requests.scan(bytes(bad.substring(at)));
      }
      assertThat(result).as("split at %d", at).isEqualTo(HeadScanner.Result.MALFORMED);
      assertThat(requests.refusal()).isEqualTo("a line feed without carriage return");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "GET / HTTP/1.1\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\n\n",
        "GET / HTTP/1.1\r\nHost : h\r\n\r\n",
        "GET / HTTP/1.1\r\n Host: h\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nX: a\r\n b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nX\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\n: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nX\u0001: x\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nX: \u0000\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nX: \u007f\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nX(y): x\r\n\r\n",
        "GET  / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /  HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET\t/ HTTP/1.1\r\nHost: h\r\n\r\n",
        " GET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1 \r\nHost: h\r\n\r\n",
        "GET / HTTP/1.2\r\nHost: h\r\n\r\n",
        "GET / HTTP/2.0\r\nHost: h\r\n\r\n",
        "GET / http/1.1\r\nHost: h\r\n\r\n",
        "GET /\r\nHost: h\r\n\r\n",
        "GET\r\n\r\n",
        "GET /\u00e9 HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET /#x HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET x HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET * HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET ftp://h/ HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET http://u@h/ HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET http:/// HTTP/1.1\r\nHost: h\r\n\r\n",
        "G(T / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a b\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a/b\r\n\r\n",
        "\r\n\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nContent-Length: 5\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5, 5\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: +5\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: -5\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 0x5\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length:\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 9223372036854775808\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: gzip, chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked, identity\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: xchunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: \"chunked\"\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding:\r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: \u000bchunked\r\n\r\n",
        "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nConnection: content-length\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: h\r\nConnection: close host\r\n\r\n",
      })
  void refusesARequest(String text) {
    assertThat(requests.scan(bytes(text))).isEqualTo(HeadScanner.Result.MALFORMED);
    assertThat(requests.refusal()).isNotEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET / HTTP/1.0\r\n\r\n",
        "GET / HTTP/1.1\r\nHost:\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: [::1]:80\r\nX: caf\u00e9\r\n\r\n",
        "OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET http://h:80/x HTTP/1.1\r\nHost: h\r\n\r\n",
        "GET HTTP://h?q HTTP/1.1\r\nHost: h\r\n\r\n",
        "POST / HTTP/1.1\r\nhOST: h\r\ntransfer-ENCODING:\tChunked \r\n\r\n",
        "POST / HTTP/1.1\r\nHost: h\r\nContent-Length: 000000000000000005\r\n\r\n",
      })
  void acceptsARequest(String text) {
    assertThat(requests.scan(bytes(text)))
        .as(requests.refusal())
        .isEqualTo(HeadScanner.Result.COMPLETE);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "HTTP/1.1 20 OK\r\n\r\n",
        "HTTP/1.1 2000 OK\r\n\r\n",
        "HTTP/1.1 099 No\r\n\r\n",
        "HTTP/1.1  200 OK\r\n\r\n",
        "HTTP/3.1 200 OK\r\n\r\n",
        "HTTP/1.1 2x0 OK\r\n\r\n",
        "\r\nHTTP/1.1 200 OK\r\n\r\n",
        "HTTP/1.1 200 O\u0000K\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\n",
        "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
        "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n",
      })
  void refusesAResponse(String text) {
    assertThat(responses.scan(bytes(text))).isEqualTo(HeadScanner.Result.MALFORMED);
  }

  @Test
  void takesAResponseApart() {
    responses.scan(bytes("HTTP/1.1 404 Not Found\r\nX: 12\r\nY: 1a\r\n\r\n"));
    Head head = responses.head();
    assertThat(head.status()).isEqualTo(404);
    assertThat(head.text(head.reasonStart(), head.reasonEnd())).isEqualTo("Not Found");
    assertThat(head.number(head.find(AsciiString.cached("x")), -1)).isEqualTo(12);
    assertThat(head.number(head.find(AsciiString.cached("y")), -1)).isEqualTo(-1);
    assertThat(head.find(AsciiString.cached("z"))).isEqualTo(-1);
    responses.reset();
    responses.scan(bytes("HTTP/1.0 200\r\n\r\n"));
    assertThat(head.status()).isEqualTo(200);
    assertThat(head.text(head.reasonStart(), head.reasonEnd())).isEmpty();
    assertThat(head.keepAlive()).isFalse();
  }

  @Test
  void boundsBytesAndFields() {
    assertThat(requests.scan(bytes("GET / HTTP/1.1\r\nX: " + "a".repeat(600))))
        .isEqualTo(HeadScanner.Result.MALFORMED);
    assertThat(requests.refusal()).isEqualTo("the head is larger than 512 bytes");
    requests.reset();
    assertThat(requests.scan(bytes("GET / HTTP/1.1\r\n" + "X: a\r\n".repeat(11))))
        .isEqualTo(HeadScanner.Result.MALFORMED);
    assertThat(requests.refusal()).isEqualTo("more than 10 fields");
    requests.reset();
    String start = "GET / HTTP/1.1\r\nHost: h\r\nX: ";
    String exact = start + "a".repeat(512 - start.length() - 4) + "\r\n\r\n";
    assertThat(requests.scan(bytes(exact + "body"))).isEqualTo(HeadScanner.Result.COMPLETE);
  }

  @ParameterizedTest
  @ValueSource(strings = {"close", "Close", "x, close", ",close,", "keep-alive, close"})
  void endsTheConnectionWhenToldTo(String value) {
    requests.scan(bytes("GET / HTTP/1.1\r\nHost: h\r\nConnection: " + value + "\r\n\r\n"));
    assertThat(requests.head().keepAlive()).isFalse();
  }
}
