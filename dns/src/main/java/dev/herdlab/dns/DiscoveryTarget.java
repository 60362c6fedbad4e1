package dev.herdlab.dns;

import java.util.Locale;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;

/// What is to be discovered, as it is written:
///
/// - `dns://name:8000`: every address (A and AAAA) of the name, at that port;
/// - `dns://name:8000-8007`: every address at each of these ports;
/// - `dns+srv://_http._tcp.name`: what the SRV records say (RFC 2782).
///
/// The name may be an address (`dns://127.0.0.1:8000`, `dns://[::1]:8000`) or `localhost`, which is
/// 127.0.0.1: no server is asked for these. A name that ends with a dot is taken as it stands,
/// without the system's search list. Owner thread: any (immutable).
public sealed interface DiscoveryTarget {
  /// The most ports in a range.
  int MAX_PORTS = 1024;

  /// The addresses of a name at some ports.
  ///
  /// @param host a name or an address, without brackets
  /// @param firstPort 1 to 65535
  /// @param lastPort the same or higher
  record Addresses(String host, int firstPort, int lastPort) implements DiscoveryTarget {
    public Addresses {
      if (firstPort < 1 || lastPort > 65_535 || lastPort < firstPort) {
        throw new IllegalArgumentException(
            "ports: " + firstPort + "-" + lastPort + " (expected: 1 to 65535, rising)");
      }
      if (lastPort - firstPort >= MAX_PORTS) {
        throw new IllegalArgumentException(
            "ports: " + firstPort + "-" + lastPort + " (expected: at most " + MAX_PORTS + ")");
      }
    }

    @Override
    public String toString() {
      String shown = host.indexOf(':') < 0 ? host : "[" + host + "]";
      return "dns://" + shown + ":" + firstPort + (firstPort == lastPort ? "" : "-" + lastPort);
    }
  }

  /// The services under a name of SRV records.
  ///
  /// @param name such as `_http._tcp.example.com`
  record Services(String name) implements DiscoveryTarget {
    @Override
    public String toString() {
      return "dns+srv://" + name;
    }
  }

  /// Whether `text` is meant as one of these: it begins with `dns://` or `dns+srv://`.
  static boolean isOne(String text) {
    String lower = text.toLowerCase(Locale.ROOT);
    return lower.startsWith("dns://") || lower.startsWith("dns+srv://");
  }

  /// Reads one.
  ///
  /// @throws IllegalArgumentException `text (expected: ...)` if it is none
  static DiscoveryTarget parse(String text) {
    if (!isOne(text)) {
      throw expected(text, "dns://NAME:PORT, dns://NAME:FIRST-LAST or dns+srv://NAME");
    }
    String rest = text.substring(text.indexOf("://") + 3);
    if (text.toLowerCase(Locale.ROOT).startsWith("dns+srv://")) {
      if (!rest.startsWith("_") || !isName(rest)) {
        throw expected(
            text, "dns+srv://_SERVICE._PROTOCOL.NAME, e.g. dns+srv://_http._tcp.example");
      }
      return new Services(rest);
    }
    return addresses(text, rest);
  }

  private static Addresses addresses(String text, String rest) {
    int colon = rest.lastIndexOf(':');
    String host = colon < 0 ? rest : rest.substring(0, colon);
    String ports = colon < 0 ? "" : rest.substring(colon + 1);
    if (!ports.matches("\\d{1,5}(-\\d{1,5})?")) {
      throw expected(text, "a port or a range of ports, as in dns://NAME:8000-8007");
    }
    boolean bracketed = host.startsWith("[") && host.endsWith("]");
    String bare = bracketed ? host.substring(1, host.length() - 1) : host;
    if (bracketed ? Hosts.literal(bare).isEmpty() : !isName(bare)) {
      throw expected(text, "a name, an IPv4 address, or an IPv6 address in brackets");
    }
    int dash = ports.indexOf('-');
    int first = Integer.parseInt(dash < 0 ? ports : ports.substring(0, dash));
    int last = dash < 0 ? first : Integer.parseInt(ports.substring(dash + 1));
    if (first < 1 || last > 65_535 || last < first || last - first >= MAX_PORTS) {
      throw expected(text, "ports from 1 to 65535, rising, at most " + MAX_PORTS + " of them");
    }
    return new Addresses(bare, first, last);
  }

  private static boolean isName(String text) {
    if (text.isEmpty() || text.equals(".") || !text.matches("[A-Za-z0-9_.-]+")) {
      return false;
    }
    try {
      return Name.fromString(text, Name.root).labels() > 1;
    } catch (TextParseException notOne) {
      return false;
    }
  }

  private static IllegalArgumentException expected(String text, String what) {
    return new IllegalArgumentException(text + " (expected: " + what + ")");
  }
}
