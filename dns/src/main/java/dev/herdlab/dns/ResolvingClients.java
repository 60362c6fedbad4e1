package dev.herdlab.dns;

import java.util.Arrays;
import java.util.function.IntUnaryOperator;

/// Clients that find the proxies through DNS: each keeps the first address of an answer for as long
/// as its TTL says, and asks again with the first request after that.
///
/// Every request belongs to a client, each equally likely, drawn in the order of the requests; two
/// sets with equal coins have equal clients, whatever they are answered. Nothing is answered before
/// it is asked: a client's first request asks too. This is how a resolver caches (RFC 1035, section
/// 7.4); that some programs never ask again, or share a cache, is not modelled. Cost of a request:
/// a draw and a look at an array, and an answer where one is due. Owner thread: any, one at a time.
public final class ResolvingClients {
  private final Resolver resolver;
  private final IntUnaryOperator coins;
  private final int[] proxy;
  private final long[] untilNanos;
  private final boolean[] asked;
  private int questions;

  /// Answers a client's question.
  @FunctionalInterface
  public interface Resolver {
    /// The answer at an instant of the requests' clock.
    Answer first(long nowNanos);
  }

  /// The first address of an answer.
  ///
  /// @param proxy its number, 0 or more
  /// @param ttlNanos how long it may be kept; 0 for this request alone
  public record Answer(int proxy, long ttlNanos) {
    public Answer {
      if (proxy < 0 || ttlNanos < 0) {
        throw new IllegalArgumentException(
            "answer: proxy " + proxy + ", " + ttlNanos + " ns (expected: both >= 0)");
      }
    }
  }

  /// Clients that know nothing yet.
  ///
  /// @param clients at least 1
  /// @param coins a uniform number from 0 to its argument - 1
  public ResolvingClients(int clients, Resolver resolver, IntUnaryOperator coins) {
    if (clients < 1) {
      throw new IllegalArgumentException("clients: " + clients + " (expected: >= 1)");
    }
    this.resolver = resolver;
    this.coins = coins;
    this.proxy = new int[clients];
    this.untilNanos = new long[clients];
    this.asked = new boolean[clients];
  }

  /// The proxy that the next request goes to.
  ///
  /// @param nowNanos its instant; never before that of the last one
  public int next(long nowNanos) {
    int client = coins.applyAsInt(proxy.length);
    if (!asked[client] || nowNanos - untilNanos[client] >= 0) {
      Answer answer = resolver.first(nowNanos);
      questions++;
      asked[client] = true;
      proxy[client] = answer.proxy();
      untilNanos[client] = nowNanos + answer.ttlNanos();
    }
    return proxy[client];
  }

  /// How many answers were asked for.
  public int questions() {
    return questions;
  }

  /// The proxies of requests at these instants, in their order.
  public int[] proxies(long[] instantsNanos) {
    return Arrays.stream(instantsNanos).mapToInt(this::next).toArray();
  }
}
