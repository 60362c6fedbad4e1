package dev.herdlab.dns;

import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.DClass;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/// A server of zone files on a free port of the loopback, and packets to it.
final class Served implements AutoCloseable {
  /// The head of a zone: its negative answers may be believed for 30 s.
  static final String HEAD =
      """
      $TTL 60
      @ IN SOA ns admin 1 3600 600 86400 30
      @ IN NS ns
      ns A 192.0.2.53
      """;

  private static final int PATIENCE_MILLIS = 5_000;

  private final DnsServer server;

  private Served(DnsServer server) {
    this.server = server;
  }

  /// Serves the zone `example.` with [#HEAD] and `records`.
  static Served zone(Path folder, String records) {
    return files(
        ServedFiles.parse(
            List.of("example=" + write(folder, "example.zone", HEAD + records)), List.of()));
  }

  /// The same, with files for subnets as `CIDR=records`.
  static Served zone(Path folder, String records, String... subnets) {
    List<String> given = new ArrayList<>();
    for (String subnet : subnets) {
      int equals = subnet.indexOf('=');
      Path file =
          write(folder, "subnet-" + given.size(), "$TTL 60\n" + subnet.substring(equals + 1));
      given.add(subnet.substring(0, equals + 1) + file);
    }
    Path zone = write(folder, "example.zone", HEAD + records);
    return files(ServedFiles.parse(List.of("example=" + zone), given));
  }

  static Served files(ServedFiles files) {
    return start(files, Rotation.CYCLIC);
  }

  static Served start(ServedFiles files, Rotation rotation) {
    // The coin that always shows the highest number leaves the order as it is; 0 moves every
    // record.
    DnsServer server =
        new DnsServer(
            files, DnsServer.listenAddress("127.0.0.1:0"), rotation, _ -> 0, System::nanoTime);
    server.start();
    return new Served(server);
  }

  /// At a given port, as after a restart.
  static Served zoneAt(int port, Path folder, String records) {
    Path zone = write(folder, "again.zone", HEAD + records);
    ServedFiles files = ServedFiles.parse(List.of("example=" + zone), List.of());
    DnsServer server =
        new DnsServer(
            files,
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
            Rotation.CYCLIC,
            _ -> 0,
            System::nanoTime);
    server.start();
    return new Served(server);
  }

  static Path write(Path folder, String name, String text) {
    try {
      return Files.writeString(folder.resolve(name), text);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  InetSocketAddress address() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port());
  }

  /// A question without EDNS, over UDP.
  Message ask(String name, int type) throws IOException {
    return send(query(name, type));
  }

  /// A question with an OPT record.
  Message ask(String name, int type, int payloadBytes, EDNSOption... options) throws IOException {
    Message query = query(name, type);
    query.addRecord(new OPTRecord(payloadBytes, 0, 0, 0, List.of(options)), Section.ADDITIONAL);
    return send(query);
  }

  /// A question from a client in a subnet.
  Message askFrom(String subnet, String name, int type) throws IOException {
    Subnet client = Subnet.parse(subnet);
    return ask(name, type, 1232, new ClientSubnetOption(client.length(), client.address()));
  }

  static Message query(String name, int type) throws IOException {
    return Message.newQuery(Record.newRecord(Name.fromString(name, Name.root), type, DClass.IN));
  }

  Message send(Message query) throws IOException {
    return new Message(send(query.toWire()));
  }

  /// Sends a packet and waits for one.
  byte[] send(byte[] packet) throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      socket.send(new DatagramPacket(packet, packet.length, address()));
      DatagramPacket reply = new DatagramPacket(new byte[65_535], 65_535);
      socket.receive(reply);
      return Arrays.copyOf(reply.getData(), reply.getLength());
    }
  }

  /// Sends packets that get no answer, then a question, and returns what comes first.
  Message sendThenAsk(Message question, byte[]... packets) throws IOException {
    try (DatagramSocket socket = new DatagramSocket()) {
      socket.setSoTimeout(PATIENCE_MILLIS);
      for (byte[] packet : packets) {
        socket.send(new DatagramPacket(packet, packet.length, address()));
      }
      byte[] last = question.toWire();
      socket.send(new DatagramPacket(last, last.length, address()));
      DatagramPacket reply = new DatagramPacket(new byte[65_535], 65_535);
      socket.receive(reply);
      return new Message(Arrays.copyOf(reply.getData(), reply.getLength()));
    }
  }

  Socket connect() throws IOException {
    Socket socket = new Socket();
    socket.connect(address(), PATIENCE_MILLIS);
    socket.setSoTimeout(PATIENCE_MILLIS);
    return socket;
  }

  static void write(Socket socket, byte[] packet) throws IOException {
    DataOutputStream out = new DataOutputStream(socket.getOutputStream());
    byte[] framed = new byte[packet.length + 2];
    framed[0] = (byte) (packet.length >> 8);
    framed[1] = (byte) packet.length;
    System.arraycopy(packet, 0, framed, 2, packet.length);
    out.write(framed);
  }

  static Message read(Socket socket) throws IOException {
    DataInputStream in = new DataInputStream(socket.getInputStream());
    byte[] packet = new byte[in.readUnsignedShort()];
    in.readFully(packet);
    return new Message(packet);
  }

  /// The data of a section's records, the OPT record left out: `A 192.0.2.1`.
  static List<String> texts(Message message, int section) {
    return message.getSection(section).stream()
        .filter(record -> record.getType() != Type.OPT)
        .map(record -> Type.string(record.getType()) + " " + record.rdataToString())
        .toList();
  }

  /// Of the answer section.
  static List<String> answers(Message message) {
    return texts(message, Section.ANSWER);
  }

  static ClientSubnetOption subnet(Message message) {
    return (ClientSubnetOption)
        message.getOPT().getOptions(EDNSOption.Code.CLIENT_SUBNET).getFirst();
  }

  @Override
  public void close() {
    server.close();
  }
}
