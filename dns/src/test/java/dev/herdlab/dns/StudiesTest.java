package dev.herdlab.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The studies against a real server.
class StudiesTest {
  @TempDir Path folder;

  private static RotationStudy.Result rotation(String name, Served served, int count)
      throws Exception {
    return RotationStudy.ask(name, AddressType.A, Optional.of(served.address()), count);
  }

  @Test
  void rotationIsCountedByFirstAddress() throws Exception {
    try (Served served =
        Served.zone(folder, "www 7 A 192.0.2.10\nwww 7 A 192.0.2.9\nwww 7 A 192.0.2.11\n")) {
      RotationStudy.Result result = rotation("www.example", served, 20);

      assertThat(result.name()).isEqualTo("www.example.");
      assertThat(result.questions()).isEqualTo(20);
      assertThat(result.first())
          .containsExactly(
              new RotationStudy.First("192.0.2.9", 7),
              new RotationStudy.First("192.0.2.10", 7),
              new RotationStudy.First("192.0.2.11", 6));
      assertThat(result.leastTtlSeconds()).isEqualTo(7);
      assertThat(result.mostTtlSeconds()).isEqualTo(7);
      assertThat(result.leastAddresses()).isEqualTo(3);
      assertThat(result.mostAddresses()).isEqualTo(3);
    }
  }

  @Test
  void addressThatIsNeverFirstIsListed() throws Exception {
    try (Served served = Served.zone(folder, "www A 192.0.2.1\nwww A 192.0.2.2\n")) {
      assertThat(rotation("www.example", served, 1).first())
          .containsExactly(
              new RotationStudy.First("192.0.2.1", 1), new RotationStudy.First("192.0.2.2", 0));
    }
  }

  @Test
  void longAnswerAndAliasAreCounted() throws Exception {
    try (Served served =
        Served.zone(folder, "$GENERATE 1-200 www 9 A 192.0.2.$\nalias 3 CNAME www\n")) {
      RotationStudy.Result result = rotation("alias.example", served, 2);

      assertThat(result.first()).hasSize(200);
      assertThat(result.mostTtlSeconds()).isEqualTo(3);
    }
  }

  @Test
  void whatHasNoAnswerIsOneLine() throws Exception {
    try (Served served = Served.zone(folder, "six AAAA 2001:db8::1\n")) {
      String server = "127.0.0.1:" + served.address().getPort();
      assertThatThrownBy(() -> rotation("no.example", served, 3))
          .isInstanceOf(DnsException.class)
          .hasMessage(
              "no.example.: does not exist (server "
                  + server
                  + "; expected: a name with addresses)");
      assertThatThrownBy(() -> rotation("six.example", served, 3))
          .hasMessageStartingWith("six.example.: has no A records (server " + server);
      assertThatThrownBy(() -> rotation("www.other", served, 3))
          .hasMessage(
              "www.other.: " + server + " answers REFUSED (expected: a DNS server that answers)");
    }
    InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    assertThatThrownBy(() -> RotationStudy.ask("a.b", AddressType.A, Optional.of(nowhere), 1))
        .hasMessageStartingWith("a.b.: 127.0.0.1:1: no server there (expected: ");
    assertThatThrownBy(() -> RotationStudy.ask("a..b", AddressType.A, Optional.of(nowhere), 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a..b (expected: a DNS name)");
  }

  @Test
  void subnetsAreAskedOneByOne() throws Exception {
    try (Served served =
        Served.zone(
            folder,
            "www 5 A 192.0.2.1\nplain A 192.0.2.2\n",
            "10.0.0.0/8=www A 10.0.0.1\nwww A 10.0.0.2\nonly A 10.0.0.3")) {
      List<Subnet> subnets =
          List.of(
              Subnet.parse("10.1.0.0/16"),
              Subnet.parse("10.2.0.0/16"),
              Subnet.parse("192.168.0.0/16"));
      SubnetStudy.Result www =
          SubnetStudy.ask("www.example", AddressType.A, subnets, Optional.of(served.address()));
      SubnetStudy.Result plain =
          SubnetStudy.ask("plain.example", AddressType.A, subnets, Optional.of(served.address()));
      SubnetStudy.Result only =
          SubnetStudy.ask("only.example", AddressType.A, subnets, Optional.of(served.address()));

      assertThat(www.rows())
          .containsExactly(
              new SubnetStudy.Row(
                  subnets.get(0), List.of("10.0.0.1", "10.0.0.2"), 60, OptionalInt.of(8)),
              new SubnetStudy.Row(
                  subnets.get(1), List.of("10.0.0.2", "10.0.0.1"), 60, OptionalInt.of(8)),
              new SubnetStudy.Row(subnets.get(2), List.of("192.0.2.1"), 5, OptionalInt.of(1)));
      assertThat(www.differentAnswers()).isEqualTo(2);
      assertThat(plain.rows()).allMatch(row -> row.scope().equals(OptionalInt.of(0)));
      assertThat(only.rows().getLast().addresses()).isEmpty();
      assertThatThrownBy(
              () ->
                  SubnetStudy.ask(
                      "no.example", AddressType.A, subnets, Optional.of(served.address())))
          .hasMessageStartingWith("no.example.: does not exist (server 127.0.0.1:");
    }
  }
}
