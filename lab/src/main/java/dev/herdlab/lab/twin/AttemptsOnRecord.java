package dev.herdlab.lab.twin;

import dev.herdlab.balancer.AttemptCounts;
import dev.herdlab.balancer.DispatchLog;
import dev.herdlab.balancer.Further;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Counts the attempts of a record from its installations on: what each pick was for, and whether
/// hedges won. Owner thread: its caller's.
final class AttemptsOnRecord implements DispatchLog.Visitor {
  /// One proxy's picks.
  private static final class Proxy {
    private final List<Boolean> hedged = new ArrayList<>();
    private final Set<Long> succeeded = new HashSet<>();
    private Optional<Further> next = Optional.empty();
    // A bound on the number of the first pick, exact in the end: see PickAudit.
    private long first;
  }

  private final Map<Integer, Proxy> proxies = new HashMap<>();
  private long attempts;
  private long retries;
  private long hedges;
  private long overBudget;

  @Override
  public void event(DispatchLog.Kind kind, int proxy, int value, long argument, long nanos) {
    Proxy at = proxies.computeIfAbsent(proxy, number -> new Proxy());
    switch (kind) {
      case RETRY -> at.next = Optional.of(Further.RETRY);
      case HEDGE -> at.next = Optional.of(Further.HEDGE);
      case REFUSAL, WAIT -> at.next = Optional.empty();
      case OVER_BUDGET -> overBudget++;
      case PICK -> {
        attempts++;
        boolean hedge = at.next.equals(Optional.of(Further.HEDGE));
        hedges += hedge ? 1 : 0;
        retries += at.next.equals(Optional.of(Further.RETRY)) ? 1 : 0;
        at.hedged.add(hedge);
        at.next = Optional.empty();
      }
      case SUCCESS, FAILURE, CANCELLATION -> {
        at.first = Math.max(at.first, argument + 1 - at.hedged.size());
        if (kind == DispatchLog.Kind.SUCCESS) {
          at.succeeded.add(argument);
        }
      }
      case LEASE -> at.first = Math.max(at.first, argument + 1 - at.hedged.size());
      case REFRESH, SNAPSHOT, COUNT, INSTALL, UPDATE -> {}
      case PINNED, NUMBER, PROBE_REPLY, IDLE, REPORT -> {}
    }
  }

  AttemptCounts counts() {
    long won = 0;
    for (Proxy proxy : proxies.values()) {
      for (int i = 0; i < proxy.hedged.size(); i++) {
        won += proxy.hedged.get(i) && proxy.succeeded.contains(proxy.first + i) ? 1 : 0;
      }
    }
    return new AttemptCounts(attempts, retries, hedges, won, overBudget);
  }
}
