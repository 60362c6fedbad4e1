package dev.herdlab.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BodyFramerTest {
  private static final HeadLimits LIMITS = HeadLimits.DEFAULT;
  private final BodyFramer framer = new BodyFramer();

  private static ByteBuf bytes(String text) {
    return Unpooled.copiedBuffer(text, StandardCharsets.ISO_8859_1);
  }

  private void request(String fields) {
    HeadScanner scanner = new HeadScanner(HeadScanner.Kind.REQUEST, LIMITS);
    scanner.scan(bytes("POST / HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n"));
    framer.beginRequest(scanner.head());
  }

  private void response(int status, String fields, boolean toHead) {
    HeadScanner scanner = new HeadScanner(HeadScanner.Kind.RESPONSE, LIMITS);
    scanner.scan(bytes("HTTP/1.1 " + status + " x\r\n" + fields + "\r\n"));
    framer.beginResponse(scanner.head(), toHead);
  }

  @Test
  void countsAFixedLength() {
    request("Content-Length: 7\r\n");
    assertThat(framer.measure(bytes("hello"))).isEqualTo(5);
    assertThat(framer.ended()).isFalse();
    assertThat(framer.measure(bytes("hello"))).isEqualTo(2);
    assertThat(framer.ended()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "'Content-Length: 5', 'hello and more', hello",
    "'Transfer-Encoding: chunked', '2;a=b@he@3@llo@0@Trailer: x@@more', hello",
    "'', 'hello', hello",
  })
  void handsOnTheDataWithoutItsFramingHoweverItIsCut(String field, String text, String data) {
    String body = text.replace("@", "\r\n");
    for (int cut = 0; cut <= body.length(); cut++) {
      response(200, field.isEmpty() ? "" : field + "\r\n", false);
      StringBuilder taken = new StringBuilder();
      for (String part : new String[] {body.substring(0, cut), body.substring(cut)}) {
        framer.measure(
            bytes(part),
            (in, index, count) ->
                taken.append(in.toString(index, count, StandardCharsets.ISO_8859_1)));
      }
      assertThat(taken).as("cut at " + cut).hasToString(data);
    }
  }

  @Test
  void hasNoBodyWithoutALength() {
    request("");
    assertThat(framer.ended()).isTrue();
    assertThat(framer.measure(bytes("GET"))).isZero();
    request("Content-Length: 0\r\n");
    assertThat(framer.ended()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "200, false, UNTIL_CLOSE",
    "200, true, NONE",
    "100, false, NONE",
    "204, false, NONE",
    "304, false, NONE",
    "404, false, UNTIL_CLOSE",
  })
  void framesAResponseByItsStatus(int status, boolean toHead, BodyFramer.Length length) {
    response(status, "", toHead);
    assertThat(framer.length()).isEqualTo(length);
  }

  @Test
  void ignoresTheLengthOfAResponseWithoutBody() {
    response(304, "Content-Length: 5\r\n", false);
    assertThat(framer.ended()).isTrue();
    response(200, "Transfer-Encoding: chunked\r\n", true);
    assertThat(framer.ended()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "0\r\n\r\n",
        "5\r\nhello\r\n0\r\n\r\n",
        "00A\r\n0123456789\r\n000\r\n\r\n",
        "5;a\r\nhello\r\n0;b=c\r\n\r\n",
        "5 ; a = \"q;\\\" \"\r\nhello\r\n0\r\n\r\n",
        "5;a=\"x y\";b\r\nhello\r\n0\r\nTrailer: x\r\nB:\r\n\r\n",
      })
  void findsTheEndOfChunksWhereverTheyAreSplit(String body) {
    for (int at = 0; at <= body.length(); at++) {
      request("Transfer-Encoding: chunked\r\n");
      int first = framer.measure(bytes(body.substring(0, at)));
      int second = framer.measure(bytes(body.substring(at) + "GET"));
      assertThat(first + second).as("split at %d", at).isEqualTo(body.length());
      assertThat(framer.ended()).isTrue();
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "\r\n",
        "g\r\n",
        "-1\r\n",
        "0x5\r\nhello\r\n",
        " 5\r\nhello\r\n",
        "5\nhello\r\n0\r\n\r\n",
        "5\r\nhello\n0\r\n\r\n",
        "5\r\nhelloX\r\n",
        "5\r\nhello\r\n0\r\n\n",
        "5\r\nhello\r\n0\n\r\n",
        "5 \r\nhello\r\n",
        "5;\r\nhello\r\n",
        "5;a\nhello\r\n",
        "5;a=\r\nhello\r\n",
        "5;a=\"x\r\nhello\r\n",
        "5;a b\r\nhello\r\n",
        "5;\u0000\r\nhello\r\n",
        "5\r\nhello\r\n0\r\nBad Name: x\r\n\r\n",
        "5\r\nhello\r\n0\r\nName : x\r\n\r\n",
        "5\r\nhello\r\n0\r\nName: \u0000\r\n\r\n",
        "5\r\nhello\r\n0\r\n folded\r\n\r\n",
        "1000000000000000\r\n",
        "0000000000000005\r\n",
      })
  void refusesChunks(String body) {
    request("Transfer-Encoding: chunked\r\n");
    assertThat(framer.measure(bytes(body))).isEqualTo(BodyFramer.MALFORMED);
  }

  @Test
  void takesALargeChunkSizeForWhatItIs() {
    // Truncated to an int this would be 4.
    request("Transfer-Encoding: chunked\r\n");
    String body = "100000004\r\nABCD\r\n0\r\n\r\n";
    assertThat(framer.measure(bytes(body))).isEqualTo(body.length());
    assertThat(framer.ended()).isFalse();
  }

  @Test
  void boundsExtensionsAndTrailers() {
    request("Transfer-Encoding: chunked\r\n");
    assertThat(framer.measure(bytes("5;a=" + "b".repeat(5000)))).isEqualTo(BodyFramer.MALFORMED);
    request("Transfer-Encoding: chunked\r\n");
    assertThat(framer.measure(bytes("0\r\n" + "A: b\r\n".repeat(3000))))
        .isEqualTo(BodyFramer.MALFORMED);
  }
}
