package dev.herdlab.dns;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;

/// What a server says to clients in different subnets (EDNS Client Subnet, RFC 7871): the same
/// question, once for each.
///
/// An alias that the server leaves to be followed is followed without the subnet: the other
/// server's answer is not this one's. Cost: one round trip a subnet. Owner thread: any.
public final class SubnetStudy {
  private SubnetStudy() {}

  /// What clients in a subnet are told.
  ///
  /// @param addresses in the order of the answer; empty if there are none for them
  /// @param ttlSeconds of the answer
  /// @param scope how many bits of the subnet the answer depends on: 0 if it is good for all; empty
  ///     if the server says nothing about it
  public record Row(Subnet subnet, List<String> addresses, long ttlSeconds, OptionalInt scope) {
    public Row {
      addresses = List.copyOf(addresses);
    }
  }

  /// What was found.
  ///
  /// @param name that was asked for, in full
  /// @param server as `ADDRESS:PORT`
  /// @param rows in the order of the subnets
  public record Result(String name, String server, AddressType type, List<Row> rows) {
    public Result {
      rows = List.copyOf(rows);
    }

    /// How many different sets of addresses there are, whatever their order.
    public int differentAnswers() {
      return (int)
          rows.stream().map(row -> row.addresses().stream().sorted().toList()).distinct().count();
    }
  }

  /// Asks.
  ///
  /// @param subnets at least one
  /// @param server empty for the system's first one
  /// @throws DnsException if a question is not answered, or the name has no such addresses for any
  ///     subnet
  /// @throws IllegalArgumentException if `name` is none
  public static Result ask(
      String name, AddressType type, List<Subnet> subnets, Optional<InetSocketAddress> server)
      throws DnsException, InterruptedException {
    StudyClient client = StudyClient.of(name, server);
    List<Row> rows = new ArrayList<>();
    Optional<DnsReply.Absent> absence = Optional.empty();
    for (Subnet subnet : subnets) {
      ClientSubnetOption option = new ClientSubnetOption(subnet.length(), subnet.address());
      switch (client.reply(type, Optional.of(option))) {
        case DnsReply.Found found -> rows.add(row(subnet, option, found, client, type));
        case DnsReply.Absent absent -> {
          absence = Optional.of(absent);
          OptionalInt scope = scope(absent.message(), option);
          rows.add(new Row(subnet, List.of(), absent.ttlSeconds(), scope));
        }
        case DnsReply.Failed failed -> throw client.failed(failed);
      }
    }
    if (absence.isPresent() && rows.stream().allMatch(row -> row.addresses().isEmpty())) {
      throw client.absent(absence.get(), type);
    }
    return new Result(client.name(), client.server(), type, rows);
  }

  private static Row row(
      Subnet subnet,
      ClientSubnetOption option,
      DnsReply.Found found,
      StudyClient client,
      AddressType type)
      throws DnsException, InterruptedException {
    List<InetAddress> addresses = StudyClient.addresses(found.records());
    long ttlSeconds = found.ttlSeconds();
    if (addresses.isEmpty()) {
      DnsReply.Found followed = client.found(type, Optional.empty());
      addresses = StudyClient.addresses(followed.records());
      ttlSeconds = Math.min(ttlSeconds, followed.ttlSeconds());
    }
    List<String> texts = addresses.stream().map(Hosts::text).toList();
    return new Row(subnet, texts, ttlSeconds, scope(found.message(), option));
  }

  /// An option that does not mirror the question's counts as none (RFC 7871, section 7.3).
  private static OptionalInt scope(Message message, ClientSubnetOption asked) {
    OPTRecord opt = message.getOPT();
    if (opt == null) {
      return OptionalInt.empty();
    }
    return opt.getOptions(EDNSOption.Code.CLIENT_SUBNET).stream()
        .map(ClientSubnetOption.class::cast)
        .filter(
            option ->
                option.getFamily() == asked.getFamily()
                    && option.getSourcePrefixLength() == asked.getSourcePrefixLength()
                    && option.getAddress().equals(asked.getAddress()))
        .mapToInt(ClientSubnetOption::getScopePrefixLength)
        .findFirst();
  }
}
