package dev.herdlab.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Opcode;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// What the server says, in packets over loopback.
class AnswersTest {
  private static final String RECORDS =
      """
      www 5 A 192.0.2.1
      www 5 A 192.0.2.2
      www 5 A 192.0.2.3
      www AAAA 2001:db8::1
      zero 0 A 192.0.2.9
      alias CNAME second
      second CNAME www
      dead CNAME nowhere
      away CNAME www.elsewhere.
      loop CNAME pool
      pool CNAME loop
      _http._tcp SRV 10 5 8080 www
      _http._tcp SRV 20 0 8081 second
      *.wild TXT "any"
      *.calias CNAME www
      there.wild A 192.0.2.7
      deep.empty A 192.0.2.8
      child NS ns.child
      ns.child A 192.0.2.99
      moved DNAME www
      """;

  @TempDir Path folder;

  private Served serve() {
    return Served.zone(folder, RECORDS);
  }

  @Test
  void answersAreAuthoritativeWithTheZonesTtl() throws IOException {
    try (Served served = serve()) {
      Message reply = served.ask("www.example", Type.A);

      assertThat(reply.getHeader().getFlag(Flags.QR)).isTrue();
      assertThat(reply.getHeader().getFlag(Flags.AA)).isTrue();
      assertThat(reply.getHeader().getFlag(Flags.RD)).isTrue();
      assertThat(reply.getHeader().getFlag(Flags.RA)).isFalse();
      assertThat(reply.getSection(Section.ANSWER)).hasSize(3).allMatch(r -> r.getTTL() == 5);
      assertThat(served.ask("zero.example", Type.A).getSection(Section.ANSWER).getFirst().getTTL())
          .isZero();
    }
  }

  @Test
  void idAndSpellingOfTheQuestionComeBack() throws IOException {
    try (Served served = serve()) {
      Message query = Served.query("wWw.ExamPle.", Type.A);
      Message reply = served.send(query);

      assertThat(reply.getHeader().getID()).isEqualTo(query.getHeader().getID());
      assertThat(reply.getQuestion().getName().toString()).isEqualTo("wWw.ExamPle.");
      assertThat(reply.getSection(Section.ANSWER)).hasSize(3);
    }
  }

  @Test
  void eachAnswerBeginsOneRecordFurther() throws IOException {
    try (Served served = serve()) {
      List<String> firsts = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        firsts.add(Served.answers(served.ask("www.example", Type.A)).getFirst());
        served.ask("www.example", Type.AAAA);
      }

      assertThat(firsts)
          .containsExactly("A 192.0.2.1", "A 192.0.2.2", "A 192.0.2.3", "A 192.0.2.1");
      assertThat(Served.answers(served.ask("www.example", Type.A)))
          .containsExactly("A 192.0.2.2", "A 192.0.2.3", "A 192.0.2.1");
    }
  }

  @Test
  void withoutRotationTheFilesOrderStays() throws IOException {
    Path zone = Served.write(folder, "z", Served.HEAD + RECORDS);
    ServedFiles files = ServedFiles.parse(List.of("example=" + zone), List.of());
    try (Served served = Served.start(files, Rotation.NONE)) {
      for (int i = 0; i < 3; i++) {
        assertThat(Served.answers(served.ask("www.example", Type.A)))
            .containsExactly("A 192.0.2.1", "A 192.0.2.2", "A 192.0.2.3");
      }
    }
  }

  @Test
  void randomRotationFollowsItsCoins() throws IOException {
    Path zone = Served.write(folder, "z", Served.HEAD + RECORDS);
    ServedFiles files = ServedFiles.parse(List.of("example=" + zone), List.of());
    try (Served served = Served.start(files, Rotation.RANDOM)) {
      // Every coin is 0: the third changes places with the first, then the second with the first.
      assertThat(Served.answers(served.ask("www.example", Type.A)))
          .containsExactly("A 192.0.2.2", "A 192.0.2.3", "A 192.0.2.1");
    }
  }

  @Test
  void aliasesAreFollowed() throws IOException {
    try (Served served = serve()) {
      assertThat(Served.answers(served.ask("alias.example", Type.AAAA)))
          .containsExactly(
              "CNAME second.example.", "CNAME www.example.", "AAAA 2001:db8:0:0:0:0:0:1");
      assertThat(Served.answers(served.ask("alias.example", Type.CNAME)))
          .containsExactly("CNAME second.example.");
      assertThat(Served.answers(served.ask("away.example", Type.A)))
          .containsExactly("CNAME www.elsewhere.");
    }
  }

  @Test
  void aliasesInACircleEnd() throws IOException {
    try (Served served = serve()) {
      Message reply = served.ask("loop.example", Type.A);

      assertThat(reply.getRcode()).isEqualTo(Rcode.NOERROR);
      assertThat(reply.getSection(Section.ANSWER)).hasSizeBetween(2, 9);
    }
  }

  @Test
  void aliasToNothingSaysThatTheNameDoesNotExist() throws IOException {
    try (Served served = serve()) {
      Message reply = served.ask("dead.example", Type.A);

      assertThat(reply.getRcode()).isEqualTo(Rcode.NXDOMAIN);
      assertThat(Served.answers(reply)).containsExactly("CNAME nowhere.example.");
      assertThat(Served.texts(reply, Section.AUTHORITY))
          .singleElement()
          .asString()
          .startsWith("SOA");
    }
  }

  @Test
  void dnameMovesWhatIsBelowIt() throws IOException {
    try (Served served = serve()) {
      Message reply = served.ask("a.moved.example", Type.A);

      assertThat(Served.answers(reply))
          .containsExactly("DNAME www.example.", "CNAME a.www.example.");
      assertThat(reply.getRcode()).isEqualTo(Rcode.NXDOMAIN);
    }
  }

  @Test
  void servicesComeWithTheirAddresses() throws IOException {
    try (Served served = serve()) {
      Message reply = served.ask("_http._tcp.example", Type.SRV);

      assertThat(Served.answers(reply))
          .containsExactly("SRV 10 5 8080 www.example.", "SRV 20 0 8081 second.example.");
      assertThat(Served.texts(reply, Section.ADDITIONAL)).contains("A 192.0.2.2").hasSize(4);
    }
  }

  @Test
  void negativeAnswersCarryTheSoaWithTheNegativeTtl() throws IOException {
    try (Served served = serve()) {
      Message noName = served.ask("no.example", Type.A);
      Message noType = served.ask("www.example", Type.MX);

      assertThat(noName.getRcode()).isEqualTo(Rcode.NXDOMAIN);
      assertThat(noType.getRcode()).isEqualTo(Rcode.NOERROR);
      for (Message reply : List.of(noName, noType)) {
        Record soa = reply.getSection(Section.AUTHORITY).getFirst();
        assertThat(reply.getHeader().getFlag(Flags.AA)).isTrue();
        assertThat(reply.getSection(Section.ANSWER)).isEmpty();
        assertThat(soa.getType()).isEqualTo(Type.SOA);
        assertThat(soa.getTTL()).isEqualTo(30);
      }
    }
  }

  @Test
  void nameThatExistsBecauseALongerOneDoesIsNoNameError() throws IOException {
    try (Served served = serve()) {
      assertThat(served.ask("empty.example", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
      assertThat(served.ask("_tcp.example", Type.SRV).getRcode()).isEqualTo(Rcode.NOERROR);
    }
  }

  @Test
  void wildcardStandsForNamesThatDoNotExist() throws IOException {
    try (Served served = serve()) {
      Message any = served.ask("a.b.wild.example", Type.TXT);

      assertThat(Served.answers(any)).containsExactly("TXT \"any\"");
      assertThat(any.getSection(Section.ANSWER).getFirst().getName().toString())
          .isEqualTo("a.b.wild.example.");
      assertThat(served.ask("a.wild.example", Type.A).getRcode()).isEqualTo(Rcode.NOERROR);
      assertThat(Served.answers(served.ask("x.calias.example", Type.AAAA)))
          .containsExactly("CNAME www.example.", "AAAA 2001:db8:0:0:0:0:0:1");
    }
  }

  @Test
  void wildcardDoesNotReachPastANameThatExists() throws IOException {
    try (Served served = serve()) {
      assertThat(Served.answers(served.ask("there.wild.example", Type.TXT))).isEmpty();
      assertThat(served.ask("below.there.wild.example", Type.TXT).getRcode())
          .isEqualTo(Rcode.NXDOMAIN);
    }
  }

  @Test
  void delegationNamesTheOtherServers() throws IOException {
    try (Served served = serve()) {
      for (String name : List.of("child.example", "host.child.example")) {
        Message reply = served.ask(name, Type.A);

        assertThat(reply.getHeader().getFlag(Flags.AA)).isFalse();
        assertThat(Served.answers(reply)).isEmpty();
        assertThat(Served.texts(reply, Section.AUTHORITY)).containsExactly("NS ns.child.example.");
        assertThat(Served.texts(reply, Section.ADDITIONAL)).containsExactly("A 192.0.2.99");
      }
      assertThat(served.ask("child.example", Type.DS).getHeader().getFlag(Flags.AA)).isTrue();
    }
  }

  @Test
  void anyIsAnsweredWithOneSet() throws IOException {
    try (Served served = serve()) {
      assertThat(Served.answers(served.ask("www.example", Type.ANY)))
          .hasSize(3)
          .allMatch(text -> text.startsWith("A "));
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"www.elsewhere", "com", ".", "notexample"})
  void otherZonesAreRefused(String name) throws IOException {
    try (Served served = serve()) {
      Message reply = served.ask(name, Type.A);

      assertThat(reply.getRcode()).isEqualTo(Rcode.REFUSED);
      assertThat(reply.getHeader().getFlag(Flags.AA)).isFalse();
      assertThat(reply.getSection(Section.AUTHORITY)).isEmpty();
    }
  }

  @Test
  void transfersAndOtherClassesAreRefused() throws IOException {
    try (Served served = serve()) {
      Message chaos =
          Message.newQuery(Record.newRecord(Name.fromString("www.example."), Type.TXT, DClass.CH));

      assertThat(served.ask("example", Type.AXFR).getRcode()).isEqualTo(Rcode.REFUSED);
      assertThat(served.send(chaos).getRcode()).isEqualTo(Rcode.REFUSED);
    }
  }

  @Test
  void otherOpcodesAreNotImplemented() throws IOException {
    try (Served served = serve()) {
      for (int opcode : List.of(Opcode.IQUERY, Opcode.STATUS, Opcode.NOTIFY, Opcode.UPDATE, 9)) {
        Message query = Served.query("www.example", Type.A);
        query.getHeader().setOpcode(opcode);
        Message reply = served.send(query);

        assertThat(reply.getRcode()).isEqualTo(Rcode.NOTIMP);
        assertThat(reply.getHeader().getOpcode()).isEqualTo(opcode);
        assertThat(reply.getHeader().getFlag(Flags.QR)).isTrue();
      }
    }
  }

  @Test
  void longestOriginAnswersAndAliasesCrossZones() throws IOException {
    Path outer = Served.write(folder, "outer", Served.HEAD + "www A 192.0.2.1\nsub NS ns.sub\n");
    Path inner = Served.write(folder, "inner", Served.HEAD + "www CNAME www.example.\n");
    ServedFiles files =
        ServedFiles.parse(List.of("example=" + outer, "sub.example=" + inner), List.of());
    try (Served served = Served.files(files)) {
      Message reply = served.ask("www.sub.example", Type.A);

      assertThat(reply.getHeader().getFlag(Flags.AA)).isTrue();
      assertThat(Served.answers(reply)).containsExactly("CNAME www.example.", "A 192.0.2.1");
    }
  }
}
