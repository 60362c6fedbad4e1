package dev.herdlab.dns;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.xbill.DNS.Record;

/// What a server makes of the order of a name's addresses: the same question, many times.
///
/// Cost: one round trip a question, one after the other. Owner thread: any.
public final class RotationStudy {
  /// The most questions.
  public static final int MAX_QUESTIONS = 10_000;

  private RotationStudy() {}

  /// How often an address came first.
  ///
  /// @param times of all answers
  public record First(String address, int times) {}

  /// What was found.
  ///
  /// @param name that was asked for, in full
  /// @param server as `ADDRESS:PORT`
  /// @param questions that were asked; each was answered
  /// @param leastAddresses in one answer
  /// @param mostAddresses in one answer
  /// @param leastTtlSeconds of an answer
  /// @param mostTtlSeconds of an answer
  /// @param first every address that was in any answer, ordered by address
  public record Result(
      String name,
      String server,
      AddressType type,
      int questions,
      int leastAddresses,
      int mostAddresses,
      long leastTtlSeconds,
      long mostTtlSeconds,
      List<First> first) {
    public Result {
      first = List.copyOf(first);
    }
  }

  /// Asks.
  ///
  /// @param server empty for the system's first one
  /// @param questions 1 to [#MAX_QUESTIONS]
  /// @throws DnsException if a question is not answered, or the name has no such addresses
  /// @throws IllegalArgumentException if `name` is none
  public static Result ask(
      String name, AddressType type, Optional<InetSocketAddress> server, int questions)
      throws DnsException, InterruptedException {
    if (questions < 1 || questions > MAX_QUESTIONS) {
      throw new IllegalArgumentException(
          "count: " + questions + " (expected: 1 to " + MAX_QUESTIONS + ")");
    }
    StudyClient client = StudyClient.of(name, server);
    Map<InetAddress, Integer> first = new TreeMap<>(StudyClient.BY_VALUE);
    int least = Integer.MAX_VALUE;
    int most = 0;
    long leastTtl = Long.MAX_VALUE;
    long mostTtl = 0;
    for (int i = 0; i < questions; i++) {
      DnsReply.Found found = client.found(type, Optional.empty());
      List<Record> records = found.records();
      least = Math.min(least, records.size());
      most = Math.max(most, records.size());
      leastTtl = Math.min(leastTtl, found.ttlSeconds());
      mostTtl = Math.max(mostTtl, found.ttlSeconds());
      List<InetAddress> addresses = StudyClient.addresses(records);
      addresses.forEach(address -> first.putIfAbsent(address, 0));
      first.merge(addresses.getFirst(), 1, Integer::sum);
    }
    List<First> shares =
        first.entrySet().stream()
            .map(entry -> new First(Hosts.text(entry.getKey()), entry.getValue()))
            .toList();
    return new Result(
        client.name(), client.server(), type, questions, least, most, leastTtl, mostTtl, shares);
  }
}
