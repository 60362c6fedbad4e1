package dev.herdlab.proxy.redis;

import dev.herdlab.proxy.BoardMember;
import dev.herdlab.proxy.CountBoard;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/// The board of proxies in several processes, on one machine or many: counts come together through
/// a Redis server. The protocol is described in docs/boards.md.
///
/// While Redis is away, proxies go on with the copies that they have; it is connected to again
/// without end. Instants never travel, only durations do.
///
/// Cost: a thread of its own; a copy takes a question, an answer of each process, and a copy to
/// each, some hundred bytes each. The proxies' loop reads its counts and takes the copy, both O(n);
/// it never does I/O for it. Owner thread: as its port says.
public final class RedisBoard implements CountBoard {
  private final RedisSettings settings;
  private final UUID incarnation;
  private volatile @Nullable Open open;

  private record Open(RedisLink link, Collector collector) {}

  /// A board that is not open yet.
  ///
  /// @param incarnation names this start of this process, and no other
  public RedisBoard(RedisSettings settings, UUID incarnation) {
    this.settings = settings;
    this.incarnation = incarnation;
  }

  @Override
  public Scope scope() {
    return Scope.ALL_PROCESSES;
  }

  @Override
  public void open(BoardMember member) {
    RedisLink link = new RedisLink(settings, incarnation);
    Collector collector = new Collector(settings, incarnation, link, member);
    open = new Open(link, collector);
    link.start(collector);
  }

  @Override
  public void commonCopyDue(long refreshNanos) {
    due(Message.COMMON, refreshNanos);
  }

  @Override
  public void copyDue(int instance, long refreshNanos) {
    due(instance + 1, refreshNanos);
  }

  private void due(int slot, long refreshNanos) {
    Open now = Objects.requireNonNull(open, "open");
    now.link().execute(() -> now.collector().due(slot, refreshNanos));
  }

  @Override
  public Health health() {
    Open now = open;
    if (now == null) {
      return new Health("redis", false, 0, 0, 0);
    }
    Collector.Reach reach = now.collector().reach();
    return new Health(
        "redis", now.link().isUp(), reach.processes(), reach.silent(), now.link().roundTripNanos());
  }

  /// Says farewell, so that this process's counts are dropped at once, and closes the connections;
  /// waits for that at most a second.
  @Override
  public void close() {
    Open now = open;
    if (now != null) {
      now.link().close(now.collector()::leave);
    }
  }
}
