package dev.herdlab.dns;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A real server, asked over the network for each answer: the first address of the answer and its
/// TTL count.
///
/// The requests' time may be compressed: a second of TTL is as many of its nanoseconds as is said.
/// Owner thread: any, one at a time.
public final class AskedRotation implements ResolvingClients.Resolver {
  private final StudyClient client;
  private final Map<InetAddress, Integer> proxies = new HashMap<>();
  private final long ttlSecondNanos;

  /// @param proxies their addresses, in the order of their numbers
  /// @param ttlSecondNanos what a second of TTL is on the requests' clock
  public AskedRotation(
      String name, InetSocketAddress server, List<InetAddress> proxies, long ttlSecondNanos) {
    this.client = StudyClient.of(name, Optional.of(server));
    this.ttlSecondNanos = ttlSecondNanos;
    for (InetAddress proxy : proxies) {
      this.proxies.put(proxy, this.proxies.size());
    }
  }

  /// @throws IllegalStateException one line, if there is no answer or it names another address
  @Override
  public ResolvingClients.Answer first(long nowNanos) {
    try {
      DnsReply.Found found = client.found(AddressType.A, Optional.empty());
      InetAddress first = StudyClient.addresses(found.records()).getFirst();
      Integer proxy = proxies.get(first);
      if (proxy == null) {
        throw new IllegalStateException(
            client.name() + ": " + first.getHostAddress() + " (expected: a proxy's address)");
      }
      return new ResolvingClients.Answer(proxy, found.ttlSeconds() * ttlSecondNanos);
    } catch (DnsException e) {
      throw new IllegalStateException(e.getMessage(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }
}
