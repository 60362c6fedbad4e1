package dev.herdlab.balancer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;

/// The hash function XXH64: 64 bits from bytes and a seed, the same on every machine. Not for
/// secrets.
///
/// Cost: O(length), about a nanosecond for four bytes of a short key; nothing is allocated but the
/// bytes of a text. Owner thread: any (no state).
/// Source: xxHash `doc/xxhash_spec.md`, section XXH64 (Collet); byte order and constants as there.
public final class XxHash64 {
  private static final long PRIME_1 = 0x9E3779B185EBCA87L;
  private static final long PRIME_2 = 0xC2B2AE3D27D4EB4FL;
  private static final long PRIME_3 = 0x165667B19E3779F9L;
  private static final long PRIME_4 = 0x85EBCA77C2B2AE63L;
  private static final long PRIME_5 = 0x27D4EB2F165667C5L;
  private static final int STRIPE = 4 * Long.BYTES;

  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.LITTLE_ENDIAN);

  private XxHash64() {}

  /// Of a text's UTF-8 bytes.
  public static long of(CharSequence text, long seed) {
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    return of(bytes, 0, bytes.length, seed);
  }

  /// Of the bytes from index `from` up to `to`, which is not included.
  ///
  /// @throws IndexOutOfBoundsException if they are not all there
  public static long of(byte[] bytes, int from, int to, long seed) {
    int at = from;
    int length = to - from;
    long hash = seed + PRIME_5;
    if (length >= STRIPE) {
      at = to - length % STRIPE;
      hash = stripes(bytes, from, at, seed);
    }
    hash += length;
    for (; at + Long.BYTES <= to; at += Long.BYTES) {
      hash = eight(hash, (long) LONGS.get(bytes, at));
    }
    if (at + Integer.BYTES <= to) {
      hash ^= Integer.toUnsignedLong((int) INTS.get(bytes, at)) * PRIME_1;
      hash = Long.rotateLeft(hash, 23) * PRIME_2 + PRIME_3;
      at += Integer.BYTES;
    }
    for (; at < to; at++) {
      hash ^= Byte.toUnsignedLong(bytes[at]) * PRIME_5;
      hash = Long.rotateLeft(hash, 11) * PRIME_1;
    }
    return avalanche(hash);
  }

  /// Of the eight bytes of `value`, the lowest first.
  public static long of(long value, long seed) {
    return avalanche(eight(seed + PRIME_5 + Long.BYTES, value));
  }

  /// Four sums side by side over whole stripes, merged.
  private static long stripes(byte[] bytes, int from, int to, long seed) {
    long first = seed + PRIME_1 + PRIME_2;
    long second = seed + PRIME_2;
    long third = seed;
    long fourth = seed - PRIME_1;
    for (int at = from; at < to; at += STRIPE) {
      first = round(first, (long) LONGS.get(bytes, at));
      second = round(second, (long) LONGS.get(bytes, at + Long.BYTES));
      third = round(third, (long) LONGS.get(bytes, at + 2 * Long.BYTES));
      fourth = round(fourth, (long) LONGS.get(bytes, at + 3 * Long.BYTES));
    }
    long hash =
        Long.rotateLeft(first, 1)
            + Long.rotateLeft(second, 7)
            + Long.rotateLeft(third, 12)
            + Long.rotateLeft(fourth, 18);
    hash = merge(hash, first);
    hash = merge(hash, second);
    hash = merge(hash, third);
    return merge(hash, fourth);
  }

  private static long round(long sum, long lane) {
    return Long.rotateLeft(sum + lane * PRIME_2, 31) * PRIME_1;
  }

  private static long merge(long hash, long sum) {
    return (hash ^ round(0, sum)) * PRIME_1 + PRIME_4;
  }

  private static long eight(long hash, long lane) {
    return Long.rotateLeft(hash ^ round(0, lane), 27) * PRIME_1 + PRIME_4;
  }

  private static long avalanche(long sum) {
    long hash = (sum ^ (sum >>> 33)) * PRIME_2;
    hash = (hash ^ (hash >>> 29)) * PRIME_3;
    return hash ^ (hash >>> 32);
  }
}
