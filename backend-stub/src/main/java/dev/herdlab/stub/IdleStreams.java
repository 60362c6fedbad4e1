package dev.herdlab.stub;

import dev.herdlab.transport.Head;
import dev.herdlab.transport.KnownField;
import dev.herdlab.workload.RandomStream;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/// The proxies that want to hear when one backend becomes idle, and which of them is told: of as
/// many distinct random ones as the first drawn wishes, the one with the shortest idle queue, the
/// first drawn of equals. A wish of 1 is a random proxy.
///
/// How long a proxy's queue is, it says itself on each request that it forwards; a notice sent from
/// here adds one meanwhile.
///
/// Cost: O(choices) a notice; O(streams) to hear a length. Owner thread: the pool's loop.
/// Source: Lu et al., "Join-Idle-Queue: A novel load balancing algorithm for dynamically scalable
/// web services", Performance Evaluation 68, 2011, section 2 (JIQ-Random, JIQ-SQ(d)).
/// Deviation: the paper asks the d queues when it must choose; here lengths are as old as the
/// proxy's last request to this backend.
final class IdleStreams {
  /// The most choices that a proxy may wish for.
  static final int MOST_CHOICES = 64;

  private final RandomStream random;
  private final List<Stream> streams = new ArrayList<>();

  private static final class Stream {
    private final OwnRequests listener;
    private final long proxy;
    private final int choices;
    private long length;

    Stream(OwnRequests listener, long proxy, int choices) {
      this.listener = listener;
      this.proxy = proxy;
      this.choices = choices;
    }
  }

  IdleStreams(RandomStream random) {
    this.random = random;
  }

  /// One more proxy listens.
  ///
  /// @param head of its request, which may say what the proxy goes by
  /// @param choices 1 to [#MOST_CHOICES]
  void add(OwnRequests listener, Head head, int choices) {
    streams.add(
        new Stream(listener, proxy(head, head.find(KnownField.X_HERDLAB_IDLE_QUEUE)), choices));
    heard(head);
  }

  void remove(OwnRequests listener) {
    streams.removeIf(stream -> stream.listener == listener);
  }

  /// Takes in what a request says of its proxy's queue, if it does.
  void heard(Head head) {
    if (streams.isEmpty()) {
      return;
    }
    int field = head.find(KnownField.X_HERDLAB_IDLE_QUEUE);
    long proxy = proxy(head, field);
    if (proxy < 0) {
      return;
    }
    long length = head.number(comma(head, field) + 1, head.valueEnd(field), -1);
    for (Stream stream : streams) {
      if (stream.proxy == proxy && length >= 0) {
        stream.length = length;
      }
    }
  }

  // The number before the comma; -1 if there is none.
  private static long proxy(Head head, int field) {
    return field < 0 ? -1 : head.number(head.valueStart(field), comma(head, field), -1);
  }

  private static int comma(Head head, int field) {
    int at = head.valueStart(field);
    while (at < head.valueEnd(field) && head.octets()[at] != ',') {
      at++;
    }
    return at;
  }

  /// The backend has become idle: tells one proxy, if any listens.
  void tell() {
    if (streams.isEmpty()) {
      return;
    }
    Stream shortest = draw(0);
    int choices = Math.min(shortest.choices, streams.size());
    for (int i = 1; i < choices; i++) {
      Stream other = draw(i);
      shortest = other.length < shortest.length ? other : shortest;
    }
    shortest.length++;
    shortest.listener.tellIdle();
  }

  // One of those from `place` on, which takes that place.
  private Stream draw(int place) {
    Collections.swap(streams, place, place + random.below(streams.size() - place));
    return streams.get(place);
  }
}
