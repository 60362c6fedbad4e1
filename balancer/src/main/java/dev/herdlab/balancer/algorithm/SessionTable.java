package dev.herdlab.balancer.algorithm;

import java.util.Arrays;

/// Which backend each session is on, for a bounded number of sessions: a new one takes the place of
/// the one that was used longest ago, and one that was not used for a while is forgotten.
///
/// All is allocated in advance, 36 bytes and a bucket a session. Cost: O(1) on average; [#move]
/// O(capacity). Owner thread: its balancer's.
/// Source: HAProxy's stick tables, doc/configuration.txt `stick-table` (`size`, `expire`; 3.5-dev5,
/// commit 50872da).
final class SessionTable {
  /// No session; also the backend of a session whose own has left.
  static final int NONE = -1;

  private final long idleNanos;
  private final long[] keys;
  private final long[] usedNanos;
  private final int[] backends;

  /// First session of each bucket, and the next one of the same bucket.
  private final int[] buckets;

  private final int[] nextInBucket;

  /// Neighbours in the order of use.
  private final int[] older;

  private final int[] newer;

  private int oldest = NONE;
  private int newest = NONE;
  private int size;

  /// @param capacity sessions at most, 1 or more
  /// @param idleNanos after which a session is forgotten, above 0
  SessionTable(int capacity, long idleNanos) {
    this.idleNanos = idleNanos;
    this.keys = new long[capacity];
    this.usedNanos = new long[capacity];
    this.backends = new int[capacity];
    this.buckets = new int[Integer.highestOneBit(capacity) * 2];
    this.nextInBucket = new int[capacity];
    this.older = new int[capacity];
    this.newer = new int[capacity];
    Arrays.fill(buckets, NONE);
  }

  /// Sessions in the table, forgotten ones included.
  int size() {
    return size;
  }

  /// The backend that `key` is on, after which it counts as used now; [#NONE] if it is on none.
  int use(long key, long nowNanos) {
    int session = find(key);
    if (session == NONE || nowNanos - usedNanos[session] >= idleNanos) {
      return NONE;
    }
    touch(session, nowNanos);
    return backends[session];
  }

  /// Puts `key` on the backend of that index.
  void put(long key, int backend, long nowNanos) {
    int session = find(key);
    if (session == NONE) {
      session = size < keys.length ? fresh() : evicted();
      keys[session] = key;
      int bucket = bucket(key);
      nextInBucket[session] = buckets[bucket];
      buckets[bucket] = session;
      append(session);
    }
    backends[session] = backend;
    touch(session, nowNanos);
  }

  /// Backends have other indices now.
  ///
  /// @param moved by old index, the new one, or [#NONE] for one that left
  void move(int[] moved) {
    for (int session = 0; session < size; session++) {
      if (backends[session] != NONE) {
        backends[session] = moved[backends[session]];
      }
    }
  }

  private int fresh() {
    return size++;
  }

  /// Takes the session that was used longest ago out of its bucket and order.
  private int evicted() {
    int session = oldest;
    int bucket = bucket(keys[session]);
    if (buckets[bucket] == session) {
      buckets[bucket] = nextInBucket[session];
    } else {
      int before = buckets[bucket];
      while (nextInBucket[before] != session) {
        before = nextInBucket[before];
      }
      nextInBucket[before] = nextInBucket[session];
    }
    unlink(session);
    return session;
  }

  private int find(long key) {
    int session = buckets[bucket(key)];
    while (session != NONE && keys[session] != key) {
      session = nextInBucket[session];
    }
    return session;
  }

  /// Keys are hashes already.
  private int bucket(long key) {
    return (int) key & (buckets.length - 1);
  }

  private void touch(int session, long nowNanos) {
    usedNanos[session] = nowNanos;
    if (session != newest) {
      unlink(session);
      append(session);
    }
  }

  private void unlink(int session) {
    if (session == oldest) {
      oldest = newer[session];
    } else {
      newer[older[session]] = newer[session];
    }
    if (session == newest) {
      newest = older[session];
    } else {
      older[newer[session]] = older[session];
    }
  }

  private void append(int session) {
    older[session] = newest;
    newer[session] = NONE;
    if (newest == NONE) {
      oldest = session;
    } else {
      newer[newest] = session;
    }
    newest = session;
  }
}
