package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Raw bytes that have fooled proxies, each sent over a socket of its own: the backend must see
/// exactly as many requests as the case says, and after a refusal none of what follows.
@Timeout(60)
class FramingCorpusTest {
  private static final String GET = "GET /hidden HTTP/1.1\r\nHost: h\r\n\r\n";
  private static final String POST = "POST / HTTP/1.1\r\nHost: h\r\n";
  private static final String CHUNKED = POST + "Transfer-Encoding: chunked\r\n\r\n";

  // Name, bytes, requests that the backend sees. Source: the families of CVE-2019-16869,
  // CVE-2019-20444, CVE-2019-20445, CVE-2020-7238, CVE-2021-43797, CVE-2022-41915, CVE-2025-58056,
  // CVE-2026-33870, CVE-2026-42580, CVE-2026-42585 and CVE-2026-89044.
  private static Stream<Arguments> corpus() {
    return Stream.of(
        refused("space before colon", POST + "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n"),
        refused("tab before colon", POST + "Transfer-Encoding\t: chunked\r\n\r\n0\r\n\r\n"),
        refused("no colon", POST + "Transfer-Encoding chunked\r\n\r\n0\r\n\r\n"),
        refused("empty name", POST + ": x\r\n\r\n"),
        refused("vertical tab in a name", POST + "\u000bTransfer-Encoding: chunked\r\n\r\n"),
        refused("control character in a name", POST + "X\u0001Y: z\r\n\r\n"),
        refused("non-ASCII name", POST + "X\u00e9: z\r\n\r\n"),
        refused("NUL in a value", POST + "X: a\u0000b\r\n\r\n"),
        refused("bare CR in a value", POST + "X: a\rb\r\n\r\n"),
        refused("bare LF in a value", POST + "X: a\nContent-Length: 5\r\n\r\n"),
        refused("bare LF ends the head", POST + "X: a\n\n"),
        refused("LF CR", POST + "X: a\n\r\n\r"),
        refused("folded line", POST + "X: a\r\n b\r\n\r\n"),
        refused("folded transfer coding", POST + "Transfer-Encoding:\r\n chunked\r\n\r\n0\r\n\r\n"),
        refused("space before the first field", "GET / HTTP/1.1\r\n Host: h\r\n\r\n"),
        refused(
            "length and coding",
            POST + "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        refused(
            "coding and length",
            POST + "Transfer-Encoding: chunked\r\nContent-Length: 5\r\n\r\n0\r\n\r\n"),
        refused("two equal lengths", POST + "Content-Length: 5\r\nContent-Length: 5\r\n\r\nhello"),
        refused("two lengths", POST + "Content-Length: 5\r\nContent-Length: 6\r\n\r\nhello"),
        refused("list of lengths", POST + "Content-Length: 5, 5\r\n\r\nhello"),
        refused("signed length", POST + "Content-Length: +5\r\n\r\nhello"),
        refused("negative length", POST + "Content-Length: -5\r\n\r\nhello"),
        refused("hexadecimal length", POST + "Content-Length: 0x5\r\n\r\nhello"),
        refused("length with a blank inside", POST + "Content-Length: 1 0\r\n\r\nhello"),
        refused("length beyond a long", POST + "Content-Length: 18446744073709551621\r\n\r\nhello"),
        refused(
            "length of an int plus five",
            POST + "Content-Length: 99999999999999999999\r\n\r\nhello"),
        refused("empty length", POST + "Content-Length: \r\n\r\n"),
        refused("coding not chunked", POST + "Transfer-Encoding: gzip\r\n\r\n"),
        refused(
            "chunked, identity", POST + "Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n"),
        refused(
            "identity, chunked", POST + "Transfer-Encoding: identity, chunked\r\n\r\n0\r\n\r\n"),
        refused(
            "chunked, xchunked", POST + "Transfer-Encoding: chunked, xchunked\r\n\r\n0\r\n\r\n"),
        refused(
            "chunked twice",
            POST + "Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        refused("chunked and a semicolon", POST + "Transfer-Encoding: chunked;a\r\n\r\n0\r\n\r\n"),
        refused(
            "coding in HTTP/1.0", "POST / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        refused("no host", "GET / HTTP/1.1\r\n\r\n"),
        refused("two hosts", "GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n"),
        refused("host with a comma and blank", "GET / HTTP/1.1\r\nHost: a, b\r\n\r\n"),
        refused("HTTP/1.2", "GET / HTTP/1.2\r\nHost: h\r\n\r\n"),
        refused("HTTP/2 preface", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"),
        refused("no version", "GET /\r\n\r\n"),
        refused("two spaces", "GET  / HTTP/1.1\r\nHost: h\r\n\r\n"),
        refused("space in the target", "GET /a b HTTP/1.1\r\nHost: h\r\n\r\n"),
        refused("CONNECT", "CONNECT h:1 HTTP/1.1\r\nHost: h\r\n\r\n"),
        refused(
            "Connection lists Content-Length",
            POST + "Connection: content-length\r\nContent-Length: 5\r\n\r\nhello"),
        refused(
            "Connection lists Transfer-Encoding",
            POST + "Connection: transfer-encoding\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
        refused("TLS", "\u0016\u0003\u0001\u0000\u00a5\u0001\r\n"),
        refused("chunk size by LF alone", CHUNKED + "5\nhello\r\n0\r\n\r\n"),
        refused("chunk data by LF alone", CHUNKED + "5\r\nhello\n0\r\n\r\n"),
        refused("LF in a chunk extension", CHUNKED + "5;a\nb\r\nhello\r\n0\r\n\r\n"),
        refused("open quote in a chunk extension", CHUNKED + "5;a=\"\r\nhello\r\n0\r\n\r\n"),
        refused("chunk size overflows", CHUNKED + "FFFFFFFFFFFFFFFFF\r\nhello\r\n0\r\n\r\n"),
        refused("chunk size negative", CHUNKED + "-5\r\nhello\r\n0\r\n\r\n"),
        refused("chunk size with 0x", CHUNKED + "0x5\r\nhello\r\n0\r\n\r\n"),
        refused("chunk size followed by a blank", CHUNKED + "5 \r\nhello\r\n0\r\n\r\n"),
        refused("chunk longer than said", CHUNKED + "3\r\nhello\r\n0\r\n\r\n"),
        refused("chunks without size", CHUNKED + "\r\n\r\n"),
        refused("trailer with a blank name", CHUNKED + "0\r\nA B: c\r\n\r\n"),
        served("quoted line end is none", CHUNKED + "5;a=\"b;c\"\r\nhello\r\n0\r\n\r\n", 2),
        served(
            "length hides a request",
            POST + "Content-Length: " + GET.length() + "\r\n\r\n" + GET,
            2),
        served(
            "chunk hides a request",
            CHUNKED + Integer.toHexString(GET.length()) + "\r\n" + GET + "\r\n0\r\n\r\n",
            2),
        served("trailer looks like a length", CHUNKED + "0\r\nContent-Length: 50\r\n\r\n", 2),
        served("leading empty line", "\r\nGET / HTTP/1.1\r\nHost: h\r\n\r\n", 2),
        served("GET with a body", "GET / HTTP/1.1\r\nHost: h\r\nContent-Length: 5\r\n\r\nhello", 2),
        served("100000004 is not 4", CHUNKED + "100000004\r\nABCD\r\n0\r\n\r\n", 0));
  }

  private static Arguments refused(String name, String bytes) {
    return Arguments.of(name, bytes, 0, true);
  }

  private static Arguments served(String name, String bytes, int requests) {
    return Arguments.of(name, bytes, requests, false);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("corpus")
  void backendSeesExactlyTheRequestsThatAreThere(
      String name, String bytes, int requests, boolean refused) throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend)) {
      try (RawClient client = proxy.client()) {
        // What follows would be the smuggled request; a sound message is followed by one of its
        // own.
        client.send(bytes + GET);
        if (refused) {
          RawClient.Response response = client.receive();
          assertThat(response.status()).isEqualTo(400);
          assertThat(response.value("x-herdlab-cause")).isEqualTo("bad-request");
          assertThat(response.value("connection")).isEqualTo("close");
          assertThat(client.isClosedByProxy()).isTrue();
        }
        for (int i = 0; i < requests; i++) {
          assertThat(client.receive().status()).isEqualTo(200);
        }
      }
      proxy.eventuallyIdle();
      assertThat(backend.requests()).hasSize(requests);
    }
  }
}
