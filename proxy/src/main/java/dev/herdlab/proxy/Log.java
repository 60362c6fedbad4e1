package dev.herdlab.proxy;

import io.netty.util.internal.logging.InternalLogger;
import io.netty.util.internal.logging.InternalLoggerFactory;
import java.io.IOException;

/// The proxy's log: for errors of its own alone; what peers do wrong is counted, not logged.
///
/// Owner thread: any.
final class Log {
  private static final InternalLogger LOG = InternalLoggerFactory.getInstance(ProxyPool.class);

  private Log() {}

  /// Logs what a handler threw, unless it is the network's doing.
  static void unexpected(String where, Throwable cause) {
    if (!(cause instanceof IOException)) {
      LOG.error("{}: unexpected", where, cause);
    }
  }
}
