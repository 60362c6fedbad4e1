package dev.herdlab.lab.run;

import dev.herdlab.dns.Discovery;
import dev.herdlab.dns.DiscoveryListener;
import dev.herdlab.dns.DiscoverySettings;
import dev.herdlab.dns.DiscoveryTarget;
import dev.herdlab.dns.DnsServerAddress;
import dev.herdlab.dns.Member;
import dev.herdlab.lab.config.Settings;
import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// A name that a component follows, if any: whoever stands under it now is told to the component,
/// again and again, until it follows another name or none.
///
/// Owner thread: any; the component is told on a thread of the discovery.
final class Discovered implements AutoCloseable {
  private static final InternalLogger LOG = InternalLoggerFactory.getInstance(Discovered.class);

  private final DiscoverySettings settings;
  private final Consumer<List<Member>> members;
  private @Nullable Discovery discovery;
  private Optional<String> name = Optional.empty();

  /// @param members gets all of them whenever they change
  private Discovered(DiscoverySettings settings, Consumer<List<Member>> members) {
    this.settings = settings;
    this.members = members;
  }

  /// As a component's settings say, following no name yet.
  ///
  /// @throws dev.herdlab.lab.config.ConfigException if the server is none
  static Discovered of(Settings settings, Consumer<List<Member>> members) {
    Optional<InetSocketAddress> server =
        settings.get(ComponentKeys.DNS).equals("system")
            ? Optional.empty()
            : Optional.of(
                ComponentLists.spec(settings, ComponentKeys.DNS, DnsServerAddress::parse));
    Duration maxTtl = Duration.ofNanos(settings.get(ComponentKeys.DNS_MAX_TTL));
    try {
      return new Discovered(new DiscoverySettings(server, maxTtl), members);
    } catch (IllegalArgumentException e) {
      throw settings.error(ComponentKeys.DNS_MAX_TTL, "1s to 86400s");
    }
  }

  /// Follows a name from now on, and none before it.
  void follow(DiscoveryTarget target) {
    Discovery next = new Discovery(target, settings, System::nanoTime, new Told(target.toString()));
    replace(next, Optional.of(target.toString()));
    next.start();
  }

  /// Follows no name.
  void stop() {
    replace(null, Optional.empty());
  }

  /// The name that is followed.
  synchronized Optional<String> name() {
    return name;
  }

  private void replace(@Nullable Discovery next, Optional<String> nextName) {
    Discovery before;
    synchronized (this) {
      before = discovery;
      discovery = next;
      name = nextName;
    }
    if (before != null) {
      before.close();
    }
  }

  /// What one discovery tells, as long as it is followed.
  private final class Told implements DiscoveryListener {
    private final String target;

    Told(String target) {
      this.target = target;
    }

    @Override
    public void changed(List<Member> now) {
      if (!name().equals(Optional.of(target))) {
        return;
      }
      try {
        members.accept(now);
      } catch (RuntimeException e) {
        LOG.error("{}: {}", target, e.getMessage(), e);
      }
    }

    @Override
    public void note(String line) {
      LOG.warn(line);
    }
  }

  @Override
  public void close() {
    stop();
  }
}
