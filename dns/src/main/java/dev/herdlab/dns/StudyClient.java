package dev.herdlab.dns;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.xbill.DNS.AAAARecord;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;
import org.xbill.DNS.TextParseException;

/// Puts the questions of a study about one name. Owner thread: any.
final class StudyClient {
  /// IPv4 before IPv6, then by value.
  static final Comparator<InetAddress> BY_VALUE =
      Comparator.<InetAddress>comparingInt(address -> address.getAddress().length)
          .thenComparing(InetAddress::getAddress, Arrays::compareUnsigned);

  private final Name name;
  private final DnsClient client;

  private StudyClient(Name name, DnsClient client) {
    this.name = name;
    this.client = client;
  }

  /// @throws IllegalArgumentException if `name` is no name
  static StudyClient of(String name, Optional<InetSocketAddress> server) {
    InetSocketAddress address = server.orElseGet(() -> SystemServer.fromResolvConf().address());
    try {
      Name full = Name.fromString(name, Name.root);
      return new StudyClient(full, new DnsClient(address, DnsClient.TIMEOUT));
    } catch (TextParseException e) {
      throw new IllegalArgumentException(name + " (expected: a DNS name)", e);
    }
  }

  String name() {
    return name.toString();
  }

  String server() {
    return client.serverText();
  }

  /// An answer.
  ///
  /// @throws DnsException if there is none, or it is negative
  DnsReply.Found found(AddressType type, Optional<ClientSubnetOption> subnet)
      throws DnsException, InterruptedException {
    return switch (reply(type, subnet)) {
      case DnsReply.Found found -> found;
      case DnsReply.Absent absent -> throw absent(absent, type);
      case DnsReply.Failed failed -> throw failed(failed);
    };
  }

  DnsReply reply(AddressType type, Optional<ClientSubnetOption> subnet)
      throws InterruptedException {
    return subnet.isPresent()
        ? client.askOnce(name, type.number(), subnet)
        : client.ask(name, type.number());
  }

  DnsException absent(DnsReply.Absent absent, AddressType type) {
    String what =
        switch (absent.absence()) {
          case NAME -> "does not exist";
          case TYPE -> "has no " + type + " records";
        };
    return new DnsException(
        name + ": " + what + " (server " + server() + "; expected: a name with addresses)");
  }

  DnsException failed(DnsReply.Failed failed) {
    return new DnsException(
        name + ": " + failed.reason() + " (expected: a DNS server that answers)");
  }

  /// Those among the records.
  static List<InetAddress> addresses(List<Record> records) {
    return records.stream()
        .flatMap(
            record ->
                switch (record) {
                  case ARecord a -> Stream.of(a.getAddress());
                  case AAAARecord aaaa -> Stream.of(aaaa.getAddress());
                  default -> Stream.<InetAddress>empty();
                })
        .toList();
  }
}
