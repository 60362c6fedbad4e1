package dev.herdlab.lab.run;

import dev.herdlab.dns.DiscoveryTarget;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Key;
import dev.herdlab.lab.config.Settings;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Lists among a component's settings. Owner thread: any (no state).
final class ComponentLists {
  private static final int MAX_PORT = 65_535;

  private ComponentLists() {}

  /// A list with one value for each of `count`: as given, or its only value for all.
  ///
  /// @throws ConfigException if it has another length
  static <T> List<T> each(Settings settings, Key<T> key, int count, String expected) {
    List<T> values = settings.list(key);
    if (values.size() == 1) {
      return Collections.nCopies(count, values.getFirst());
    }
    if (values.size() != count) {
      throw settings.error(key, expected + ", " + count + " of them");
    }
    return values;
  }

  /// Reads a spec, whose own error says what, column and expectation; the place gets in front.
  ///
  /// @throws ConfigException if it cannot be read
  static <T> T spec(Settings settings, Key<String> key, Function<String, T> reader) {
    Settings.Value<String> spec = settings.all(key).getFirst();
    try {
      return reader.apply(spec.value());
    } catch (IllegalArgumentException e) {
      throw new ConfigException(spec.origin().place(key.name()) + ": " + e.getMessage());
    }
  }

  /// Where a key says to listen; empty for `none`.
  ///
  /// @throws ConfigException if it is neither `none` nor `HOST:PORT`, with port 0 for any free one
  static Optional<InetSocketAddress> place(Settings settings, Key<String> key) {
    String text = settings.get(key);
    return text.equals("none") ? Optional.empty() : Optional.of(address(settings, key, text, 0));
  }

  /// Reads `HOST:PORT`; the host is looked up.
  ///
  /// @throws ConfigException if it is not of this form, or the host is not known
  static InetSocketAddress address(Settings settings, Key<String> key, String text) {
    return address(settings, key, text, 1);
  }

  private static InetSocketAddress address(
      Settings settings, Key<String> key, String text, int lowestPort) {
    return address(text, lowestPort)
        .orElseThrow(() -> settings.error(key, key.type().expected() + " of a known host"));
  }

  /// Reads `HOST:PORT`; the host is looked up. Empty if it is not of this form, or the host is not
  /// known.
  static Optional<InetSocketAddress> address(String text, int lowestPort) {
    int colon = text.lastIndexOf(':');
    String port = text.substring(colon + 1);
    if (colon < 1 || !port.matches("\\d{1,5}")) {
      return Optional.empty();
    }
    int number = Integer.parseInt(port);
    if (number < lowestPort || number > MAX_PORT) {
      return Optional.empty();
    }
    String host = text.substring(0, colon).replaceAll("^\\[|\\]$", "");
    return Optional.of(new InetSocketAddress(host, number))
        .filter(address -> !address.isUnresolved());
  }

  /// Reads a name to be looked up, for a field of the admin API.
  ///
  /// @throws IllegalArgumentException `name: text (expected: ...)`
  static DiscoveryTarget target(String name, String text) {
    try {
      return DiscoveryTarget.parse(text);
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
    }
  }
}
