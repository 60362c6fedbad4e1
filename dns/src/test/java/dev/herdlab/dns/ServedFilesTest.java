package dev.herdlab.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.xbill.DNS.Type;

/// What can be wrong before a server starts: one line, with the place and what was expected.
class ServedFilesTest {
  @TempDir Path folder;

  static Stream<Arguments> badZones() {
    String record = "a record such as www 60 IN A 192.0.2.1, or a directive";
    String head = "$TTL 60\n@ SOA ns admin 1 1 1 1 1\n@ NS ns\n";
    return Stream.of(
        bad(head + "www AX 192.0.2.1", ":4: Invalid type 'AX' (expected: " + record + ")"),
        bad(head + "www A 192.0.2", ":4: Invalid address: 192.0.2 (expected: " + record + ")"),
        bad(head + "www A", ":4: expected an address (expected: " + record + ")"),
        bad("www A 192.0.2.1", ":1: missing TTL (expected: " + record + ")"),
        bad(head + "www CH A 192.0.2.1", ":4: "),
        bad(head + "\n\nwww.other. A 192.0.2.1", ":6: www.other. (expected: a name in example.)"),
        bad(head + "www CH TXT x", ":4: class CH (expected: IN)"),
        bad(
            head + "www A 192.0.2.1\nwww CNAME x",
            ":5: www.example. CNAME (expected: a CNAME alone at its name)"),
        bad(
            head + "www CNAME x\nwww A 192.0.2.1",
            ":5: www.example. A (expected: a CNAME alone at its name)"),
        bad(
            head + "a SOA ns admin 1 1 1 1 1",
            ":4: a.example. SOA (expected: one SOA, at example.)"),
        bad(head + "@ SOA ns admin 2 1 1 1 1", ":4: example. SOA (expected: one SOA, at example.)"),
        bad(head + "$INCLUDE nope.zone", ":4: "),
        bad(head + "$GENERATE 1-9 a$ LOC 1", ":4: "),
        bad(head + "a TXT \"open", ":4: "),
        bad(
            "$TTL 60\n@ NS ns\n",
            ": no SOA record (expected: one SOA and at least one NS at example.)"),
        bad(
            "$TTL 60\n@ SOA ns admin 1 1 1 1 1\n",
            ": no NS record (expected: one SOA and at least one NS at example.)"));
  }

  private static Arguments bad(String zone, String message) {
    return Arguments.of(zone, message);
  }

  @ParameterizedTest
  @MethodSource("badZones")
  void badZoneFileIsRefusedWithItsLine(String zone, String message) {
    Path file = Served.write(folder, "x.zone", zone);
    ServedFiles files = ServedFiles.parse(List.of("example=" + file), List.of());

    assertThatThrownBy(() -> Served.files(files))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith(file + message)
        .hasMessageContaining("(expected: ")
        .hasMessageNotContaining("\n");
  }

  @Test
  void errorInAnIncludedFileNamesThatFile() throws IOException {
    Path inner = Served.write(folder, "inner.zone", "a A 192.0.2.1\nb A what\n");
    Path file = Served.write(folder, "x.zone", Served.HEAD + "$INCLUDE inner.zone\n");
    ServedFiles files = ServedFiles.parse(List.of("example=" + file), List.of());

    assertThatThrownBy(() -> Served.files(files))
        .hasMessageStartingWith(file + ":5: in inner.zone, line 2: Invalid address: what");
    Files.writeString(inner, "a A 192.0.2.1\n");
    try (Served served = Served.files(files)) {
      assertThat(Served.answers(served.ask("a.example", Type.A))).containsExactly("A 192.0.2.1");
    }
  }

  @Test
  void generatedRecordsAreServed() throws IOException {
    try (Served served = Served.zone(folder, "$GENERATE 1-3 host$ A 192.0.2.$\n")) {
      assertThat(Served.answers(served.ask("host3.example", Type.A)))
          .containsExactly("A 192.0.2.3");
    }
  }

  @Test
  void missingFileAndFolderAreRefused() {
    ServedFiles missing = ServedFiles.parse(List.of("example=nope.zone"), List.of());
    ServedFiles dir = ServedFiles.parse(List.of("example=" + folder), List.of());

    assertThatThrownBy(() -> Served.files(missing))
        .hasMessage("nope.zone: no such file (expected: a readable zone file)");
    assertThatThrownBy(() -> Served.files(dir))
        .hasMessage(folder + ": a folder (expected: a readable zone file)");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "example|''|example (expected: ORIGIN=FILE, e.g. example.test=example.zone)",
        "=f|''|=f (expected: ORIGIN=FILE",
        "a..b=f|''|a..b=f (expected: ORIGIN=FILE with a DNS name as the origin)",
        "example=f|10.0.0.0/8|10.0.0.0/8 (expected: CIDR=FILE, e.g. 10.0.0.0/8=inside.zone)",
        "example=f|10.0.0.1/8=g|10.0.0.1/8 (expected: 10.0.0.0/8, the block's first address)",
        "example=f|10.0.0.0/33=g|10.0.0.0/33 (expected: a prefix length of at most 32)",
        "example=f|ten/8=g|ten/8 (expected: a subnet such as 10.0.0.0/8 or 2001:db8::/32)",
      })
  void badArgumentIsRefused(String zone, String subnet, String message) {
    List<String> subnets = subnet.isEmpty() ? List.of() : List.of(subnet);

    assertThatThrownBy(() -> ServedFiles.parse(List.of(zone), subnets))
        .hasMessageStartingWith(message);
  }

  @Test
  void sameOriginOrSubnetTwiceIsRefused() {
    assertThatThrownBy(() -> ServedFiles.parse(List.of("a.b=f", "A.b.=g"), List.of()))
        .hasMessage("A.b.=g (expected: each origin once)");
    assertThatThrownBy(
            () -> ServedFiles.parse(List.of("a=f"), List.of("10.0.0.0/8=g", "10.0.0.0/8=h")))
        .hasMessage("10.0.0.0/8=h (expected: each subnet once for a zone)");
    assertThatThrownBy(() -> ServedFiles.parse(List.of("a=f", "b=g"), List.of("10.0.0.0/8=h")))
        .hasMessage(
            "10.0.0.0/8=h (expected: CIDR=ORIGIN=FILE with the origin of one of the zones)");
  }

  @Test
  void portInUseIsRefused() {
    try (Served served = Served.zone(folder, "")) {
      InetSocketAddress taken = served.address();
      ServedFiles files =
          ServedFiles.parse(List.of("example=" + folder.resolve("example.zone")), List.of());
      DnsServer second = new DnsServer(files, taken, Rotation.NONE, _ -> 0, System::nanoTime);

      assertThatThrownBy(second::start)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageMatching(
              "127\\.0\\.0\\.1:"
                  + taken.getPort()
                  + ": .*in use.* \\(expected: .* port that is free\\)");
    }
  }

  @ParameterizedTest
  @CsvSource({"127.0.0.1", "127.0.0.1:", ":53", "example.com:53", "127.0.0.1:65536", "::1:x"})
  void badListenAddressIsRefused(String text) {
    assertThatThrownBy(() -> DnsServer.listenAddress(text))
        .hasMessage(text + " (expected: ADDRESS:PORT)");
  }

  @Test
  void listenAddressesAreRead() {
    assertThat(DnsServer.listenAddress("[::1]:53").getPort()).isEqualTo(53);
    assertThat(DnsServer.listenAddress("localhost:0").getAddress().getHostAddress())
        .isEqualTo("127.0.0.1");
    assertThat(DnsServerAddress.parse("192.0.2.1").getPort()).isEqualTo(53);
    assertThat(DnsServerAddress.parse("::1").getPort()).isEqualTo(53);
    assertThat(DnsServerAddress.parse("[::1]:5353").getPort()).isEqualTo(5353);
  }
}
