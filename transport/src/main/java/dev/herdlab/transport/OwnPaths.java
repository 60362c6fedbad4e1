package dev.herdlab.transport;

import io.netty.util.AsciiString;

/// The paths at a backend that are for its proxies alone: what is asked there is no request of a
/// client. Owner thread: any (immutable).
public final class OwnPaths {
  /// `GET`: how loaded the backend is, answered at once, beside the queue.
  public static final AsciiString PROBE = AsciiString.cached("/-/probe");

  /// `GET`, with `?choices=N`: a line each time that the backend becomes idle and this proxy is the
  /// one to be told, until either side closes.
  public static final AsciiString IDLE = AsciiString.cached("/-/idle");

  private OwnPaths() {}
}
