package dev.herdlab.lab.run;

import dev.herdlab.dns.Discovery;
import dev.herdlab.dns.DiscoveryListener;
import dev.herdlab.dns.DiscoverySettings;
import dev.herdlab.dns.DiscoveryTarget;
import dev.herdlab.dns.DnsServerAddress;
import dev.herdlab.dns.Member;
import dev.herdlab.lab.config.ConfigException;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// What places stand for: `HOST:PORT` for its address, `dns://NAME:PORT` for every address that the
/// name has at the moment, which is kept up to date in the background.
///
/// Cost: a thread for each name, which mostly sleeps. Owner thread: its user's, one at a time.
public final class DiscoveredPlaces implements Fleet.Resolver {
  private static final long FIRST_ANSWER_SECONDS = 5;

  private final DiscoverySettings settings;
  private final Map<String, Followed> names = new HashMap<>();

  private DiscoveredPlaces(DiscoverySettings settings) {
    this.settings = settings;
  }

  /// Asks the server that a text names.
  ///
  /// @param dns `ADDRESS`, `ADDRESS:PORT` or `system`
  /// @throws ConfigException if it is none of these
  public static DiscoveredPlaces of(String dns) {
    try {
      Optional<InetSocketAddress> server =
          dns.equals("system") ? Optional.empty() : Optional.of(DnsServerAddress.parse(dns));
      return new DiscoveredPlaces(
          new DiscoverySettings(server, DiscoverySettings.DEFAULT.maxTtl()));
    } catch (IllegalArgumentException e) {
      throw new ConfigException("dns: " + e.getMessage());
    }
  }

  /// One name.
  private record Followed(Discovery discovery, FirstAnswer answer) {}

  /// Waits for a name's first answer, and keeps what was last wrong with it.
  private static final class FirstAnswer implements DiscoveryListener {
    private final CountDownLatch come = new CountDownLatch(1);
    private volatile String last = "nobody";

    @Override
    public void changed(List<Member> members) {
      last = "nobody";
      come.countDown();
    }

    @Override
    public void note(String line) {
      last = line;
      come.countDown();
    }
  }

  @Override
  public List<InetSocketAddress> addresses(String place) throws IOException, InterruptedException {
    if (!DiscoveryTarget.isOne(place)) {
      return List.of(
          ComponentLists.address(place, 1)
              .orElseThrow(
                  () ->
                      new IOException(
                          place + ": no address (expected: HOST:PORT of a known host)")));
    }
    Followed followed = followed(place);
    boolean _ = followed.answer.come.await(FIRST_ANSWER_SECONDS, TimeUnit.SECONDS);
    List<InetSocketAddress> addresses =
        followed.discovery.members().stream().map(Member::address).toList();
    if (addresses.isEmpty()) {
      throw new IOException(place + ": " + followed.answer.last);
    }
    return addresses;
  }

  private Followed followed(String place) throws IOException {
    try {
      return names.computeIfAbsent(place, this::follow);
    } catch (IllegalArgumentException e) {
      throw new IOException(e.getMessage(), e);
    }
  }

  private Followed follow(String place) {
    FirstAnswer answer = new FirstAnswer();
    Discovery discovery =
        new Discovery(DiscoveryTarget.parse(place), settings, System::nanoTime, answer);
    discovery.start();
    return new Followed(discovery, answer);
  }

  @Override
  public void close() {
    names.values().forEach(name -> name.discovery.close());
    names.clear();
  }
}
