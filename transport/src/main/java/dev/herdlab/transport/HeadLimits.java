package dev.herdlab.transport;

/// How large a head may be. Owner thread: any (immutable).
///
/// @param maxBytes bytes from the first of the start line to the last of the empty line, 64 to 1
///     MiB
/// @param maxFields number of header fields, 1 to 10 000
public record HeadLimits(int maxBytes, int maxFields) {
  /// 16 KiB and 100 fields: far above what the lab sends, and of the order of other proxies'
  /// defaults.
  public static final HeadLimits DEFAULT = new HeadLimits(16 * 1024, 100);

  public HeadLimits {
    if (maxBytes < 64 || maxBytes > 1 << 20) {
      throw new IllegalArgumentException(
          "head bytes: " + maxBytes + " (expected: 64 to " + (1 << 20) + ")");
    }
    if (maxFields < 1 || maxFields > 10_000) {
      throw new IllegalArgumentException("head fields: " + maxFields + " (expected: 1 to 10000)");
    }
  }
}
