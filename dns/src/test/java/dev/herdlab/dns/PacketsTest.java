package dev.herdlab.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.GenericEDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.SimpleResolver;
import org.xbill.DNS.Type;

/// How the server treats packets and connections: sizes, EDNS, noise.
class PacketsTest {
  private static final int MANY = 100;

  @TempDir Path folder;

  /// `many` has 100 addresses: 1600 bytes of records; `few` has 3.
  private Served serve() {
    StringBuilder records =
        new StringBuilder("few A 192.0.2.1\nfew A 192.0.2.2\nfew A 192.0.2.3\n");
    IntStream.range(0, MANY).forEach(i -> records.append("many A 198.51.100." + i + "\n"));
    return Served.zone(folder, records.toString());
  }

  @Test
  void longAnswerIsCutTo512BytesWithoutEdns() throws IOException {
    try (Served served = serve()) {
      byte[] reply = served.send(Served.query("many.example", Type.A).toWire());

      assertThat(reply.length).isLessThanOrEqualTo(512);
      assertThat(new Message(reply).getHeader().getFlag(Flags.TC)).isTrue();
      assertThat(served.ask("few.example", Type.A).getHeader().getFlag(Flags.TC)).isFalse();
    }
  }

  @Test
  void payloadSizeThatTheQueryNamesIsHonoured() throws IOException {
    try (Served served = serve()) {
      Message cut = served.ask("many.example", Type.A, 1232);
      Message whole = served.ask("many.example", Type.A, 4096);
      Message tiny = served.ask("few.example", Type.A, 20);

      assertThat(cut.getHeader().getFlag(Flags.TC)).isTrue();
      assertThat(cut.numBytes()).isLessThanOrEqualTo(1232);
      assertThat(cut.getOPT()).isNotNull();
      assertThat(whole.getHeader().getFlag(Flags.TC)).isFalse();
      assertThat(Served.answers(whole)).hasSize(MANY);
      assertThat(Served.answers(tiny)).as("less than 512 counts as 512").hasSize(3);
    }
  }

  @Test
  void fullAnswerComesOverTcp() throws IOException {
    try (Served served = serve();
        Socket socket = served.connect()) {
      Served.write(socket, Served.query("many.example", Type.A).toWire());
      Message reply = Served.read(socket);

      assertThat(reply.getHeader().getFlag(Flags.TC)).isFalse();
      assertThat(Served.answers(reply)).hasSize(MANY);
    }
  }

  @Test
  void clientThatIsCutShortComesAgainOverTcp() throws IOException {
    try (Served served = serve()) {
      SimpleResolver client = new SimpleResolver(served.address());

      assertThat(Served.answers(client.send(Served.query("many.example", Type.A)))).hasSize(MANY);
    }
  }

  @Test
  void answerThatIsCutShortDoesNotTurnTheRecords() throws IOException {
    try (Served served = serve()) {
      SimpleResolver client = new SimpleResolver(served.address());
      for (int i = 0; i < 3; i++) {
        // Over UDP, cut short, and then over TCP.
        assertThat(Served.answers(client.send(Served.query("many.example", Type.A))))
            .startsWith("A 198.51.100." + i);
      }
    }
  }

  @Test
  void connectionCarriesQuestionsOneAfterTheOther() throws IOException {
    try (Served served = serve();
        Socket socket = served.connect()) {
      List<Integer> asked = new ArrayList<>();
      for (String name : List.of("few.example", "no.example", "many.example")) {
        Message query = Served.query(name, Type.A);
        asked.add(query.getHeader().getID());
        Served.write(socket, query.toWire());
      }
      List<Integer> answered = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        answered.add(Served.read(socket).getHeader().getID());
      }

      assertThat(answered).isEqualTo(asked);
    }
  }

  @Test
  void questionInPiecesAndAClosedSendingSideAreAnswered() throws IOException {
    try (Served served = serve();
        Socket socket = served.connect()) {
      byte[] query = Served.query("few.example", Type.A).toWire();
      socket.getOutputStream().write(new byte[] {0});
      socket.getOutputStream().write(query.length);
      socket.getOutputStream().write(query, 0, 5);
      socket.getOutputStream().flush();
      socket.getOutputStream().write(query, 5, query.length - 5);
      socket.shutdownOutput();

      assertThat(Served.answers(Served.read(socket))).hasSize(3);
      assertThat(socket.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void connectionThatSendsNoiseIsClosed() throws IOException {
    try (Served served = serve();
        Socket tooShort = served.connect();
        Socket tooLong = served.connect()) {
      Served.write(tooShort, new byte[5]);
      tooLong.getOutputStream().write(new byte[] {(byte) 0xFF, (byte) 0xFF, 1});

      assertThat(tooShort.getInputStream().read()).isEqualTo(-1);
      assertThat(tooLong.getInputStream().read()).isEqualTo(-1);
    }
  }

  @Test
  void oneConnectionTooManyTakesThePlaceOfTheOldest() throws IOException {
    try (Served served = serve()) {
      List<Socket> sockets = new ArrayList<>();
      try {
        for (int i = 0; i <= ServerLoop.MAX_CONNECTIONS; i++) {
          Socket socket = served.connect();
          sockets.add(socket);
          Served.write(socket, Served.query("few.example", Type.A).toWire());
          Served.read(socket);
        }

        assertThat(sockets.getFirst().getInputStream().read()).isEqualTo(-1);
        Served.write(sockets.getLast(), Served.query("few.example", Type.A).toWire());
        assertThat(Served.answers(Served.read(sockets.getLast()))).hasSize(3);
      } finally {
        for (Socket socket : sockets) {
          socket.close();
        }
      }
    }
  }

  @Test
  void clientThatDoesNotReadHoldsNobodyUp() throws IOException {
    try (Served served = serve();
        Socket greedy = served.connect()) {
      byte[] query = Served.query("many.example", Type.A).toWire();
      byte[] framed = new byte[query.length + 2];
      framed[1] = (byte) query.length;
      System.arraycopy(query, 0, framed, 2, query.length);
      greedy.setSendBufferSize(4096);
      // Answers are fifty times as long as questions: the server's side is full long before this
      // is.
      Thread.startVirtualThread(() -> writeOften(greedy, framed));

      for (int i = 0; i < 50; i++) {
        assertThat(Served.answers(served.ask("few.example", Type.A))).hasSize(3);
      }
    }
  }

  private static void writeOften(Socket socket, byte[] bytes) {
    try {
      for (int i = 0; i < 100_000; i++) {
        socket.getOutputStream().write(bytes);
      }
    } catch (IOException closed) {
      // As expected.
    }
  }

  @Test
  void optRecordIsMirrored() throws IOException {
    try (Served served = serve()) {
      Message query = Served.query("few.example", Type.A);
      query.addRecord(new OPTRecord(1400, 0, 0, ExtendedFlags.DO), Section.ADDITIONAL);
      OPTRecord opt = served.send(query).getOPT();

      assertThat(opt.getVersion()).isZero();
      assertThat(opt.getPayloadSize()).isEqualTo(4096);
      assertThat(opt.getFlags()).isEqualTo(ExtendedFlags.DO);
      assertThat(opt.getOptions()).isEmpty();
      assertThat(served.ask("few.example", Type.A).getOPT()).isNull();
    }
  }

  @Test
  void errorsCarryTheOptRecordToo() throws IOException {
    try (Served served = serve()) {
      assertThat(served.ask("www.elsewhere", Type.A, 1232).getOPT()).isNotNull();
      assertThat(served.ask("no.example", Type.A, 1232).getOPT()).isNotNull();
      assertThat(served.ask("example", Type.AXFR, 1232).getOPT()).isNotNull();
    }
  }

  @Test
  void laterVersionOfEdnsIsToldWhichOneIsSpoken() throws IOException {
    try (Served served = serve()) {
      Message query = Served.query("few.example", Type.A);
      query.addRecord(new OPTRecord(1232, 0, 1, 0), Section.ADDITIONAL);
      Message reply = served.send(query);

      assertThat(reply.getRcode()).isEqualTo(Rcode.BADVERS);
      assertThat(reply.getOPT().getVersion()).isZero();
      assertThat(reply.getSection(Section.ANSWER)).isEmpty();
    }
  }

  @Test
  void unknownOptionIsIgnored() throws IOException {
    try (Served served = serve()) {
      Message reply =
          served.ask("few.example", Type.A, 1232, new GenericEDNSOption(65_001, new byte[] {1}));

      assertThat(Served.answers(reply)).hasSize(3);
      assertThat(reply.getOPT().getOptions()).isEmpty();
    }
  }

  @Test
  void twoOptRecordsAreAFormatError() throws IOException {
    try (Served served = serve()) {
      Message query = Served.query("few.example", Type.A);
      query.addRecord(new OPTRecord(1232, 0, 0, 0), Section.ADDITIONAL);
      query.addRecord(new OPTRecord(1233, 0, 0, 0), Section.ADDITIONAL);

      assertThat(served.send(query).getRcode()).isEqualTo(Rcode.FORMERR);
    }
  }

  @Test
  void malformedClientSubnetIsAFormatError() throws IOException {
    byte[][] malformed = {
      {}, // nothing
      {0, 3, 8, 0, 10}, // family 3
      {0, 1, 33, 0, 10, 0, 0, 0, 0}, // 33 bits of 32
      {0, 1, 24, 0, 10, 0}, // an octet too few
      {0, 1, 8, 0, 10, 0}, // one too many
      {0, 1, 9, 0, 10, 0x40}, // bits after the prefix
      {0, 1, 8, 8, 10}, // a scope in a query
      // An IPv4 address in an IPv6 one, with a prefix that cuts it and one that does not.
      {0, 2, 104, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xFF, (byte) 0xFF, 10},
      {0, 2, (byte) 128, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, (byte) 0xFF, (byte) 0xFF, 10, 0, 0, 1},
    };
    try (Served served = serve()) {
      for (byte[] data : malformed) {
        Message reply =
            served.ask(
                "few.example",
                Type.A,
                1232,
                new GenericEDNSOption(EDNSOption.Code.CLIENT_SUBNET, data));

        assertThat(reply.getRcode()).as(Arrays.toString(data)).isEqualTo(Rcode.FORMERR);
        assertThat(reply.getOPT()).isNotNull();
        assertThat(reply.getQuestion().getName().toString()).isEqualTo("few.example.");
      }
    }
  }

  @Test
  void twoClientSubnetsAreAFormatError() throws IOException {
    try (Served served = serve()) {
      ClientSubnetOption option = new ClientSubnetOption(8, Subnet.parse("10.0.0.0/8").address());

      assertThat(served.ask("few.example", Type.A, 1232, option, option).getRcode())
          .isEqualTo(Rcode.FORMERR);
    }
  }

  @Test
  void noneAndSeveralQuestionsAreAFormatError() throws IOException {
    try (Served served = serve()) {
      Message none = new Message(7);
      Message two = Served.query("few.example", Type.A);
      two.addRecord(
          Record.newRecord(Name.fromString("many.example."), Type.A, DClass.IN), Section.QUESTION);

      assertThat(served.send(none).getRcode()).isEqualTo(Rcode.FORMERR);
      assertThat(served.send(two).getRcode()).isEqualTo(Rcode.FORMERR);
    }
  }

  @Test
  void packetThatEndsTooEarlyIsAFormatErrorWithItsId() throws IOException {
    try (Served served = serve()) {
      byte[] query = Served.query("few.example", Type.A).toWire();
      for (int length = RawQuery.HEADER_BYTES; length < query.length; length++) {
        Message reply = new Message(served.send(Arrays.copyOf(query, length)));

        assertThat(reply.getRcode()).as("%d bytes", length).isEqualTo(Rcode.FORMERR);
        assertThat(reply.getHeader().getID()).isEqualTo(new Message(query).getHeader().getID());
      }
    }
  }

  @Test
  void noiseAndResponsesGetNoAnswer() throws IOException {
    try (Served served = serve()) {
      Message response = Served.query("few.example", Type.A);
      response.getHeader().setFlag(Flags.QR);
      Message question = Served.query("few.example", Type.A);
      byte[] pointerToItself = {0, 1, (byte) 0x80, 0, 0, 1, 0, 0, 0, 0, 0, 0, (byte) 0xC0, 12};

      Message first =
          served.sendThenAsk(
              question, response.toWire(), new byte[0], new byte[11], pointerToItself);

      assertThat(first.getHeader().getID()).isEqualTo(question.getHeader().getID());
    }
  }

  @Test
  void anyBytesGetAReplyOfTheirOwnOrNone() throws IOException {
    Path zone = Served.write(folder, "z", Served.HEAD + "few A 192.0.2.1\nfew A 192.0.2.2\n");
    Zone served = Zone.read(Name.fromString("example."), zone, List.of());
    Responder responder = new Responder(new Authority(List.of(served), Rotation.CYCLIC, _ -> 0));
    Message query = Served.query("few.example", Type.A);
    ClientSubnetOption subnet = new ClientSubnetOption(16, Subnet.parse("10.1.0.0/16").address());
    query.addRecord(new OPTRecord(1232, 0, 0, 0, List.of(subnet)), Section.ADDITIONAL);
    byte[] sound = query.toWire();
    SplittableRandom random = new SplittableRandom(42);
    int faults = 0;
    for (int i = 0; i < 20_000; i++) {
      byte[] packet = Arrays.copyOf(sound, random.nextInt(sound.length + 4));
      for (int change = random.nextInt(4); change > 0 && packet.length > 2; change--) {
        packet[random.nextInt(2, packet.length)] = (byte) random.nextInt();
      }
      Optional<byte[]> reply =
          responder.respond(packet, InetAddress.getLoopbackAddress(), Responder.Transport.UDP);
      if (reply.isPresent()) {
        Message read = new Message(reply.get());
        assertThat(reply.get()).startsWith(packet[0], packet[1]);
        assertThat(read.getHeader().getFlag(Flags.QR)).isTrue();
        faults += read.getRcode() == Rcode.SERVFAIL ? 1 : 0;
      }
    }

    assertThat(faults).isZero();
  }
}
