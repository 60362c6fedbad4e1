package dev.herdlab.transport;

import io.netty.buffer.ByteBuf;

/// Decimal numbers in ASCII, as Herdlab's header fields carry them.
///
/// Cost: one division and one byte a digit, no allocation. Owner thread: any.
public final class Decimals {
  private static final int MAX_CHARACTERS = 20;
  private static final int MILLION = 1_000_000;
  // Below, a million times as much fits a long.
  private static final double LARGEST = 9e12;

  private Decimals() {}

  /// Appends `value`, with a minus sign if it is below zero.
  public static void write(ByteBuf out, long value) {
    int digits = 1;
    for (long rest = value / 10; rest != 0; rest /= 10) {
      digits++;
    }
    out.ensureWritable(MAX_CHARACTERS);
    if (value < 0) {
      out.writeByte('-');
    }
    int end = out.writerIndex() + digits;
    long rest = value;
    for (int at = end - 1; at >= end - digits; at--) {
      // The remainder has the sign of the dividend, which so covers Long.MIN_VALUE too.
      out.setByte(at, '0' + Math.abs((int) (rest % 10)));
      rest /= 10;
    }
    out.writerIndex(end);
  }

  /// Appends `value` with six decimals, rounded to the nearest.
  ///
  /// @param value 0 or more; what is beyond 9e12 is written as that
  public static void write(ByteBuf out, double value) {
    if (!(value >= 0)) {
      throw new IllegalArgumentException("value: " + value + " (expected: >= 0)");
    }
    long millionths = Math.round(Math.min(value, LARGEST) * MILLION);
    write(out, millionths / MILLION);
    out.ensureWritable(MAX_CHARACTERS);
    out.writeByte('.');
    int rest = (int) (millionths % MILLION);
    for (int unit = MILLION / 10; unit > 0; unit /= 10) {
      out.writeByte('0' + rest / unit % 10);
    }
  }
}
