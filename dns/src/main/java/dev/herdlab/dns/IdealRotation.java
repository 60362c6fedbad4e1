package dev.herdlab.dns;

import java.util.function.IntUnaryOperator;

/// A server as the model knows it: always the same TTL, and the first address as the rotation gives
/// it. Nothing is lost, and nothing takes time. Owner thread: any, one at a time.
public final class IdealRotation implements ResolvingClients.Resolver {
  private final int proxies;
  private final long ttlNanos;
  private final Rotation rotation;
  private final IntUnaryOperator coins;
  private int next;

  /// @param proxies at least 1, in the order of the zone file
  /// @param coins a uniform number from 0 to its argument - 1; used by [Rotation#RANDOM] alone
  public IdealRotation(int proxies, long ttlNanos, Rotation rotation, IntUnaryOperator coins) {
    if (proxies < 1) {
      throw new IllegalArgumentException("proxies: " + proxies + " (expected: >= 1)");
    }
    this.proxies = proxies;
    this.ttlNanos = ttlNanos;
    this.rotation = rotation;
    this.coins = coins;
  }

  @Override
  public ResolvingClients.Answer first(long nowNanos) {
    int proxy =
        switch (rotation) {
          case NONE -> 0;
          case CYCLIC -> next;
          case RANDOM -> coins.applyAsInt(proxies);
        };
    next = (next + 1) % proxies;
    return new ResolvingClients.Answer(proxy, ttlNanos);
  }
}
