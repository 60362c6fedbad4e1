package dev.herdlab.lab.run;

import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Key;
import dev.herdlab.lab.config.Settings;
import java.net.InetSocketAddress;
import java.util.Collections;
import java.util.List;
import java.util.function.Function;

/// Lists among a component's settings. Owner thread: any (no state).
final class ComponentLists {
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

  /// Reads `HOST:PORT`; the host is looked up.
  ///
  /// @throws ConfigException if it is not of this form, or the host is not known
  static InetSocketAddress address(Settings settings, Key<String> key, String text) {
    int colon = text.lastIndexOf(':');
    try {
      int port = Integer.parseInt(text.substring(colon + 1));
      if (colon > 0 && port > 0 && port <= 65_535) {
        String host = text.substring(0, colon).replaceAll("^\\[|\\]$", "");
        InetSocketAddress address = new InetSocketAddress(host, port);
        if (!address.isUnresolved()) {
          return address;
        }
      }
    } catch (NumberFormatException e) {
      // Falls through: it is no address.
    }
    throw settings.error(key, key.type().expected() + " of a known host");
  }
}
