package dev.herdlab.proxy;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// The board of one process: copies are taken at the very instant at which they are due.
///
/// Cost: O(n) a copy. Owner thread: the proxies' loop.
final class MemoryBoard implements CountBoard {
  private static final Health HEALTH = new Health("memory", true, 1, 0, 0);

  private @Nullable BoardMember member;
  private long number;

  @Override
  public Scope scope() {
    return Scope.ONE_PROCESS;
  }

  @Override
  public void open(BoardMember proxies) {
    member = proxies;
  }

  @Override
  public void commonCopyDue(long refreshNanos) {
    BoardMember proxies = Objects.requireNonNull(member, "open");
    proxies.showAll(proxies.inFlight(++number), proxies.picks());
  }

  @Override
  public void copyDue(int instance, long refreshNanos) {
    BoardMember proxies = Objects.requireNonNull(member, "open");
    proxies.show(instance, proxies.inFlight(++number), proxies.picks()[instance]);
  }

  @Override
  public Health health() {
    return HEALTH;
  }

  @Override
  public void close() {}
}
