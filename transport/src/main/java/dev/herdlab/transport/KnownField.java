package dev.herdlab.transport;

import io.netty.util.AsciiString;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/// A header field that framing or forwarding treats in its own way, and whether it ends at the next
/// hop.
///
/// Cost of [#of]: one array read and at most three comparisons. Owner thread: any (immutable).
/// Source: RFC 9110 section 7.6.1. `Trailer` is end-to-end there, unlike in RFC 2616.
public enum KnownField {
  /// Any other field.
  OTHER(false),
  /// Names what belongs to this hop only.
  CONNECTION(true),
  /// Obsolete form of the above.
  PROXY_CONNECTION(true),
  /// Parameters of the persistent connection.
  KEEP_ALIVE(true),
  /// Transfer codings the sender accepts.
  TE(true),
  /// Offers another protocol.
  UPGRADE(true),
  /// Parameters of an offer of HTTP/2.
  HTTP2_SETTINGS(true),
  /// Framing. Hop-by-hop by its definition, yet kept by who passes the chunks on as they are.
  TRANSFER_ENCODING(false),
  /// Framing.
  CONTENT_LENGTH(false),
  /// The authority.
  HOST(false),
  /// The client waits for 100 (Continue).
  EXPECT(false),
  /// Who passed the message on.
  VIA(false),
  /// Addresses of the clients in front.
  X_FORWARDED_FOR(false),
  /// Why a proxy of the lab failed: its own word alone.
  X_HERDLAB_CAUSE(false),
  /// Which proxy of the lab answered: its own word alone.
  X_HERDLAB_PROXY(false),
  /// When it did what: its own word alone.
  X_HERDLAB_PROXY_STAMPS(false),
  /// What else it tried: its own word alone.
  X_HERDLAB_ATTEMPTS(false),
  /// A proxy asks its backend for a load report: between these two alone.
  X_HERDLAB_REPORT(true),
  /// A proxy tells its backend how many idle backends it knows: likewise.
  X_HERDLAB_IDLE_QUEUE(true),
  /// How long the client waits: proxy and backend go by it.
  X_HERDLAB_TIMEOUT(false),
  /// A backend's load report (ORCA), meant for who balances over it; a client further on would take
  /// it for the load of the proxy.
  ENDPOINT_LOAD_METRICS(true);

  // By length of the name, which three names share at most; null after the last.
  private static final @Nullable KnownField[][] BY_LENGTH = new @Nullable KnownField[23][4];

  static {
    for (KnownField field : values()) {
      if (field != OTHER) {
        @Nullable KnownField[] sameLength = BY_LENGTH[field.fieldName.length()];
        int free = 0;
        while (sameLength[free] != null) {
          free++;
        }
        sameLength[free] = field;
      }
    }
  }

  @SuppressWarnings("ImmutableEnumChecker") // It never changes; its class is only not marked so.
  private final AsciiString fieldName;

  private final boolean endsAtHop;

  KnownField(boolean endsAtHop) {
    this.fieldName = AsciiString.cached(name().toLowerCase(Locale.ROOT).replace('_', '-'));
    this.endsAtHop = endsAtHop;
  }

  /// The name in lower case.
  public AsciiString fieldName() {
    return fieldName;
  }

  /// True if a proxy removes the field whether `Connection` lists it or not.
  public boolean endsAtHop() {
    return endsAtHop;
  }

  static KnownField of(byte[] octets, int start, int end) {
    int length = end - start;
    if (length < BY_LENGTH.length) {
      for (KnownField candidate : BY_LENGTH[length]) {
        if (candidate == null) {
          break;
        }
        if (Octets.equalsIgnoringCase(octets, start, end, candidate.fieldName)) {
          return candidate;
        }
      }
    }
    return OTHER;
  }
}
