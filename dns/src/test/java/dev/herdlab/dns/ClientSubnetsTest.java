package dev.herdlab.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// Answers that depend on the client's subnet, and for whom else they are good.
class ClientSubnetsTest {
  private static final String RECORDS =
      "www A 192.0.2.1\nwww AAAA 2001:db8::1\nplain A 192.0.2.2\nalias CNAME www\nchild NS ns\n";

  @TempDir Path folder;

  /// The example of RFC 7871, section 7.2.1: 1.2.0.0/20 gets one answer, 1.2.3.0/24 in it another.
  @ParameterizedTest
  @CsvSource({
    "1.2.0.0/24, 10.0.0.20, 23",
    "1.2.1.0/24, 10.0.0.20, 23",
    "1.2.2.0/24, 10.0.0.20, 24",
    "1.2.3.0/24, 10.0.0.24, 24",
    "1.2.3.7/32, 10.0.0.24, 24",
    "1.2.4.0/24, 10.0.0.20, 22",
    "1.2.8.0/24, 10.0.0.20, 21",
    "1.2.0.0/16, 192.0.2.1, 24",
    "1.2.16.0/24, 192.0.2.1, 20",
    "1.2.32.0/24, 192.0.2.1, 19",
    "128.0.0.0/24, 192.0.2.1, 1",
  })
  void answerAndScopeFollowTheSubnet(String client, String address, int scope) throws IOException {
    try (Served served =
        Served.zone(folder, RECORDS, "1.2.0.0/20=www A 10.0.0.20", "1.2.3.0/24=www A 10.0.0.24")) {
      Message reply = served.askFrom(client, "www.example", Type.A);
      ClientSubnetOption option = Served.subnet(reply);
      Subnet asked = Subnet.parse(client);

      assertThat(Served.answers(reply)).containsExactly("A " + address);
      assertThat(option.getScopePrefixLength()).isEqualTo(scope);
      assertThat(option.getSourcePrefixLength()).isEqualTo(asked.length());
      assertThat(option.getAddress()).isEqualTo(asked.address());
      assertThat(option.getFamily()).isEqualTo(1);
    }
  }

  @Test
  void answerThatIsGoodForAllHasScopeZero() throws IOException {
    try (Served served = Served.zone(folder, RECORDS, "10.0.0.0/8=www A 10.0.0.1")) {
      Message reply = served.askFrom("10.1.2.0/24", "plain.example", Type.A);

      assertThat(Served.answers(reply)).containsExactly("A 192.0.2.2");
      assertThat(Served.subnet(reply).getScopePrefixLength()).isZero();
    }
  }

  @Test
  void delegationsAndNegativeAnswersHaveScopeZero() throws IOException {
    try (Served served =
        Served.zone(folder, RECORDS, "10.0.0.0/8=www A 10.0.0.1\nonly A 10.0.0.2")) {
      Message inside = served.askFrom("10.0.0.0/24", "only.example", Type.A);
      Message outside = served.askFrom("11.0.0.0/24", "only.example", Type.A);
      Message noType = served.askFrom("10.0.0.0/24", "www.example", Type.TXT);
      Message child = served.askFrom("10.0.0.0/24", "a.child.example", Type.A);

      assertThat(Served.answers(inside)).containsExactly("A 10.0.0.2");
      assertThat(outside.getRcode()).isEqualTo(Rcode.NXDOMAIN);
      assertThat(Served.texts(child, Section.AUTHORITY)).containsExactly("NS ns.example.");
      assertThat(List.of(outside, noType, child))
          .allMatch(reply -> Served.subnet(reply).getScopePrefixLength() == 0);
    }
  }

  @Test
  void nameInASubnetsFileIsAnsweredFromItAlone() throws IOException {
    try (Served served = Served.zone(folder, RECORDS, "10.0.0.0/8=www A 10.0.0.1")) {
      Message reply = served.askFrom("10.0.0.0/8", "www.example", Type.AAAA);

      assertThat(Served.answers(reply)).isEmpty();
      assertThat(Served.texts(reply, Section.AUTHORITY))
          .singleElement()
          .asString()
          .startsWith("SOA");
    }
  }

  @Test
  void nameMissingInTheLongestSubnetIsTakenFromTheNextOne() throws IOException {
    try (Served served =
        Served.zone(
            folder, RECORDS, "10.1.0.0/16=plain A 10.0.0.16", "10.0.0.0/8=www A 10.0.0.8")) {
      assertThat(Served.answers(served.askFrom("10.1.0.0/16", "www.example", Type.A)))
          .containsExactly("A 10.0.0.8");
      assertThat(Served.answers(served.askFrom("10.1.0.0/16", "plain.example", Type.A)))
          .containsExactly("A 10.0.0.16");
    }
  }

  @Test
  void aliasLeadsToTheSubnetsAnswerWithItsScope() throws IOException {
    try (Served served = Served.zone(folder, RECORDS, "10.0.0.0/8=www A 10.0.0.1")) {
      Message reply = served.askFrom("10.9.0.0/16", "alias.example", Type.A);

      assertThat(Served.answers(reply)).containsExactly("CNAME www.example.", "A 10.0.0.1");
      assertThat(Served.subnet(reply).getScopePrefixLength()).isEqualTo(8);
    }
  }

  @Test
  void wholeZoneFileServesAsASubnetsFile() throws IOException {
    try (Served served =
        Served.zone(
            folder,
            RECORDS,
            "10.0.0.0/8=@ SOA other other 9 9 9 9 9\n@ NS other\n@ MX 1 mail\nwww A 10.0.0.1")) {
      assertThat(Served.answers(served.askFrom("10.0.0.0/8", "example", Type.NS)))
          .containsExactly("NS ns.example.");
      assertThat(Served.answers(served.askFrom("10.0.0.0/8", "example", Type.SOA)))
          .containsExactly("SOA ns.example. admin.example. 1 3600 600 86400 30");
      assertThat(Served.answers(served.askFrom("10.0.0.0/8", "example", Type.MX)))
          .containsExactly("MX 1 mail.example.");
    }
  }

  @Test
  void withoutAnOptionTheSendersAddressCountsAndNoneComesBack() throws IOException {
    try (Served served =
        Served.zone(
            folder, RECORDS, "127.0.0.0/8=www A 10.0.0.127", "10.0.0.0/8=www A 10.0.0.10")) {
      Message reply = served.ask("www.example", Type.A, 1232);

      assertThat(Served.answers(reply)).containsExactly("A 10.0.0.127");
      assertThat(reply.getOPT().getOptions()).isEmpty();
      assertThat(Served.answers(served.ask("www.example", Type.A))).containsExactly("A 10.0.0.127");
    }
  }

  @Test
  void clientThatGivesNoBitIsAnsweredAsItsSenderWithScopeZero() throws IOException {
    try (Served served = Served.zone(folder, RECORDS, "127.0.0.0/8=www A 10.0.0.127")) {
      Message reply = served.askFrom("0.0.0.0/0", "www.example", Type.A);

      assertThat(Served.answers(reply)).containsExactly("A 10.0.0.127");
      assertThat(Served.subnet(reply).getScopePrefixLength()).isZero();
      assertThat(Served.subnet(reply).getSourcePrefixLength()).isZero();
    }
  }

  @Test
  void familiesAreApart() throws IOException {
    try (Served served =
        Served.zone(folder, RECORDS, "2001:db8::/32=www A 10.0.0.6", "10.0.0.0/8=www A 10.0.0.4")) {
      Message six = served.askFrom("2001:db8:1::/48", "www.example", Type.A);

      assertThat(Served.answers(six)).containsExactly("A 10.0.0.6");
      assertThat(Served.subnet(six).getFamily()).isEqualTo(2);
      assertThat(Served.subnet(six).getScopePrefixLength()).isEqualTo(32);
      assertThat(
              Served.subnet(served.askFrom("2001:db9::/48", "www.example", Type.A))
                  .getScopePrefixLength())
          .isEqualTo(32);
      assertThat(Served.answers(served.askFrom("10.0.0.0/8", "www.example", Type.A)))
          .containsExactly("A 10.0.0.4");
    }
  }

  @Test
  void subnetsRotateOnTheirOwn() throws IOException {
    try (Served served =
        Served.zone(
            folder,
            "www A 192.0.2.1\nwww A 192.0.2.2\n",
            "10.0.0.0/8=www A 10.0.0.1\nwww A 10.0.0.2")) {
      served.askFrom("10.0.0.0/8", "www.example", Type.A);

      assertThat(Served.answers(served.ask("www.example", Type.A)))
          .containsExactly("A 192.0.2.1", "A 192.0.2.2");
      assertThat(Served.answers(served.askFrom("10.0.0.0/8", "www.example", Type.A)))
          .containsExactly("A 10.0.0.2", "A 10.0.0.1");
    }
  }

  @Test
  void eachSubnetOfSeveralZonesNamesItsZone() throws IOException {
    Path one = Served.write(folder, "one", Served.HEAD + "www A 192.0.2.1\n");
    Path two = Served.write(folder, "two", Served.HEAD + "www A 192.0.2.2\n");
    Path inside = Served.write(folder, "in", "$TTL 1\nwww A 10.0.0.2\n");
    ServedFiles files =
        ServedFiles.parse(
            List.of("one.example=" + one, "two.example=" + two),
            List.of("10.0.0.0/8=two.example=" + inside));
    try (Served served = Served.files(files)) {
      assertThat(Served.answers(served.askFrom("10.0.0.0/8", "www.one.example", Type.A)))
          .containsExactly("A 192.0.2.1");
      assertThat(Served.answers(served.askFrom("10.0.0.0/8", "www.two.example", Type.A)))
          .containsExactly("A 10.0.0.2");
    }
  }
}
