package dev.herdlab.lab.run;

import dev.herdlab.balancer.Backend;
import dev.herdlab.dns.DiscoveryTarget;
import dev.herdlab.dns.Member;
import dev.herdlab.lab.admin.JsonFields;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.proxy.BackendAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/// Where the backends of a proxy process are: a list that was given, or whoever a name stands for.
///
/// Owner thread: any, one at a time.
final class BackendPlaces implements AutoCloseable {
  private static final String EXPECTED = "HOST:PORT or ID=HOST:PORT of a known host";

  private final Consumer<List<BackendAddress>> update;
  private final Discovered discovered;
  private final Optional<DiscoveryTarget> first;

  private BackendPlaces(
      Consumer<List<BackendAddress>> update,
      Discovered discovered,
      Optional<DiscoveryTarget> first) {
    this.update = update;
    this.discovered = discovered;
    this.first = first;
  }

  /// What settings say: a list, or a name and no list yet. Owner thread: any (immutable).
  record Given(List<BackendAddress> backends, Optional<DiscoveryTarget> name) {}

  /// Reads the settings.
  ///
  /// @throws ConfigException if they do not fit each other, or a host is not known
  static Given given(Settings settings) {
    List<String> texts = settings.list(ComponentKeys.BACKENDS);
    if (texts.stream().anyMatch(DiscoveryTarget::isOne)) {
      if (texts.size() > 1) {
        throw settings.error(ComponentKeys.BACKENDS, "one name alone, or addresses");
      }
      if (settings.list(ComponentKeys.WEIGHTS).size() > 1) {
        throw settings.error(ComponentKeys.WEIGHTS, "none, with a name: SRV records have them");
      }
      return new Given(
          List.of(),
          Optional.of(
              ComponentLists.spec(settings, ComponentKeys.BACKENDS, DiscoveryTarget::parse)));
    }
    List<Integer> weights =
        ComponentLists.each(settings, ComponentKeys.WEIGHTS, texts.size(), "one for each backend");
    try {
      return new Given(read(texts, weights), Optional.empty());
    } catch (IllegalArgumentException e) {
      throw settings.error(ComponentKeys.BACKENDS, String.valueOf(e.getMessage()));
    }
  }

  /// Of settings.
  ///
  /// @param update gets the backends whenever they change
  static BackendPlaces of(Settings settings, Given given, Consumer<List<BackendAddress>> update) {
    Discovered discovered =
        Discovered.of(
            settings,
            members -> update.accept(members.stream().map(BackendPlaces::backend).toList()));
    return new BackendPlaces(update, discovered, given.name());
  }

  private static BackendAddress backend(Member member) {
    return new BackendAddress(new Backend(member.id(), member.weight()), member.address());
  }

  /// Begins to follow the name, if one was given.
  void start() {
    first.ifPresent(discovered::follow);
  }

  /// The name that is followed.
  Optional<String> name() {
    return discovered.name();
  }

  /// Other backends from now on: `backends` is a list or a name, `weights` may be a list.
  ///
  /// @throws IllegalArgumentException if they cannot be read; nothing has changed then
  synchronized void put(JsonFields fields) {
    if (fields.isText("backends")) {
      if (fields.has("weights")) {
        throw new IllegalArgumentException(
            "weights: given (expected: none, with a name: SRV records have them)");
      }
      discovered.follow(ComponentLists.target("backends", fields.text("backends")));
      return;
    }
    List<String> texts = fields.texts("backends");
    List<Integer> weights =
        fields.has("weights")
            ? fields.wholes("weights", 1, Backend.MAX_WEIGHT)
            : Collections.nCopies(texts.size(), 1);
    if (weights.size() != texts.size()) {
      throw new IllegalArgumentException(
          "weights: %d of them (expected: %d, one for each backend)"
              .formatted(weights.size(), texts.size()));
    }
    List<BackendAddress> backends;
    try {
      backends = read(texts, weights);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "backends: %s (expected: %s)".formatted(String.join(",", texts), e.getMessage()), e);
    }
    discovered.stop();
    update.accept(backends);
  }

  /// Reads a list.
  ///
  /// @throws IllegalArgumentException with what was expected
  private static List<BackendAddress> read(List<String> texts, List<Integer> weights) {
    List<BackendAddress> backends = new ArrayList<>();
    Set<String> ids = new HashSet<>();
    for (int i = 0; i < texts.size(); i++) {
      int equals = texts.get(i).indexOf('=');
      String id = equals > 0 ? texts.get(i).substring(0, equals) : "b" + i;
      if (!ids.add(id)) {
        throw new IllegalArgumentException("ids that differ; " + id + " is there twice");
      }
      InetSocketAddress address =
          ComponentLists.address(texts.get(i).substring(equals + 1), 1)
              .orElseThrow(() -> new IllegalArgumentException(EXPECTED));
      backends.add(new BackendAddress(new Backend(id, weights.get(i)), address));
    }
    return backends;
  }

  @Override
  public void close() {
    discovered.close();
  }
}
