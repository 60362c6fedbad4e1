package dev.herdlab.proxy;

import dev.herdlab.balancer.RequestKey;
import dev.herdlab.transport.Head;
import dev.herdlab.transport.HeaderNames;
import io.netty.util.AsciiString;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// Which attribute of a request hashing and affinity go by. A request without it, or where it is
/// empty, has no key.
///
/// Cost of [#key]: O(fields), or O(length of the Cookie fields), and the hash of what is found; no
/// allocation. Owner thread: any (immutable).
///
/// @param source where the attribute is
/// @param name of the header field or cookie; empty for other sources
public record RequestAttribute(Source source, String name) {
  /// The field that the generator sets.
  public static final RequestAttribute DEFAULT =
      new RequestAttribute(Source.HEADER, HeaderNames.KEY.toString());

  private static final String HEADER = "header:";
  private static final String COOKIE = "cookie:";
  private static final String TOKEN = "[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}";

  /// Where an attribute is.
  public enum Source {
    /// In the first header field of a name.
    HEADER,
    /// The target's path, without the query.
    PATH,
    /// The client's address, without the port.
    CLIENT,
    /// In the first cookie of a name.
    COOKIE,
    /// Nowhere: no request has a key.
    NONE
  }

  public RequestAttribute {
    boolean named = source == Source.HEADER || source == Source.COOKIE;
    if (named ? !name.matches(TOKEN) : !name.isEmpty()) {
      throw new IllegalArgumentException(
          "name: \"" + name + "\" (expected: a token of at most 64 characters, or none)");
    }
    name = source == Source.HEADER ? name.toLowerCase(Locale.ROOT) : name;
  }

  /// The attribute that `spec` names: `header:NAME`, `path`, `client`, `cookie:NAME` or `none`.
  public static RequestAttribute parse(String spec) {
    try {
      if (spec.startsWith(HEADER)) {
        return new RequestAttribute(Source.HEADER, spec.substring(HEADER.length()));
      }
      if (spec.startsWith(COOKIE)) {
        return new RequestAttribute(Source.COOKIE, spec.substring(COOKIE.length()));
      }
    } catch (IllegalArgumentException e) {
      throw refusal(spec, e);
    }
    return switch (spec) {
      case "path" -> new RequestAttribute(Source.PATH, "");
      case "client" -> new RequestAttribute(Source.CLIENT, "");
      case "none" -> new RequestAttribute(Source.NONE, "");
      default -> throw refusal(spec, null);
    };
  }

  private static IllegalArgumentException refusal(String spec, @Nullable Throwable cause) {
    return new IllegalArgumentException(
        "key: \"" + spec + "\" (expected: header:NAME, path, client, cookie:NAME or none)", cause);
  }

  /// Makes keys for the requests of one client.
  Keys of(String clientAddress) {
    return switch (source) {
      case HEADER -> header(AsciiString.cached(name));
      case COOKIE -> cookie(name.getBytes(StandardCharsets.US_ASCII));
      case PATH -> head -> key(head, head.pathStart(), head.pathEnd());
      case CLIENT -> {
        long key = RequestKey.of(clientAddress);
        yield head -> key;
      }
      case NONE -> head -> RequestKey.NONE;
    };
  }

  /// The keys of one client's requests.
  @FunctionalInterface
  interface Keys {
    /// The key of a request; [RequestKey#NONE] if it has none.
    long key(Head head);
  }

  private static Keys header(AsciiString field) {
    return head -> {
      int at = head.find(field);
      return at < 0 ? RequestKey.NONE : key(head, head.valueStart(at), head.valueEnd(at));
    };
  }

  private static Keys cookie(byte[] cookie) {
    return head -> {
      long range = Cookies.find(head, cookie);
      return range == Cookies.NOWHERE
          ? RequestKey.NONE
          : key(head, Cookies.start(range), Cookies.end(range));
    };
  }

  private static long key(Head head, int start, int end) {
    return start == end ? RequestKey.NONE : RequestKey.of(head.octets(), start, end);
  }
}
