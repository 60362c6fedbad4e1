package dev.herdlab.balancer;

/// How a request's attribute (a header, a path, a client's address) becomes the number that
/// algorithms of hashing and affinity use: XXH64 of its UTF-8 bytes with seed 0. Both worlds make
/// keys here, so that equal attributes fall on equal backends in both.
///
/// Cost: that of [XxHash64]. Owner thread: any (no state).
public final class RequestKey {
  /// The key of a request that has no attribute.
  public static final long NONE = 0;

  private RequestKey() {}

  /// The key of a text, never [#NONE].
  public static long of(CharSequence attribute) {
    return notNone(XxHash64.of(attribute, 0));
  }

  /// The key of a text given as its UTF-8 bytes, never [#NONE].
  public static long of(byte[] attribute) {
    return of(attribute, 0, attribute.length);
  }

  /// The key of a text given as the UTF-8 bytes from index `from` up to `to`, which is not
  /// included; never [#NONE].
  ///
  /// @throws IndexOutOfBoundsException if they are not all there
  public static long of(byte[] attribute, int from, int to) {
    return notNone(XxHash64.of(attribute, from, to, 0));
  }

  /// One hash in 2^64 is taken for "no attribute"; its requests share a key with those of hash 1.
  private static long notNone(long hash) {
    return hash == NONE ? 1 : hash;
  }
}
