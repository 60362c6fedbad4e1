package dev.herdlab.balancer;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The attempts of one request after another, as the policy of its proxy wants them: the same rules
/// behind sockets and in the model. Its host does what they come to: it opens connections, sets an
/// alarm for the hedge, and ends leases.
///
/// - When all attempts of a request have failed, it is retried on another backend, if the failure
///   is one that a retry may mend, as often as the policy says and while the budget has something
///   left.
/// - A request that is not answered [#hedgeAfterNanos] after its first pick gets a second attempt
///   on another backend, once, whether or not it is retried. It costs the budget nothing.
/// - The first that is answered wins; the others are to be cancelled, and their leases ended before
///   the winner's.
///
/// Owner thread: its dispatcher's.
public final class Tries {
  private final Dispatcher dispatcher;
  private final List<Backend> tried = new ArrayList<>();
  private PickContext context = PickContext.PLAIN;
  private long firstNanos;
  private int retries;
  private boolean hedged;

  /// @param dispatcher of the request's proxy
  public Tries(Dispatcher dispatcher) {
    this.dispatcher = dispatcher;
  }

  /// A request has its first lease.
  public void begin(PickContext itsContext, Picked first) {
    context = itsContext;
    tried.clear();
    tried.add(first.backend());
    firstNanos = first.pickedNanos();
    retries = 0;
    hedged = false;
  }

  /// Whether the request, all of whose attempts have failed, is to be tried again; if so, the
  /// budget has paid for it.
  ///
  /// @param kind how the last attempt failed
  public boolean mayRetry(FailureKind kind) {
    return kind.isRetryable()
        && retries < dispatcher.attemptPolicy().retries()
        && dispatcher.grantsRetry();
  }

  /// A lease for one more attempt, after [#mayRetry] and once the failed lease has ended: on a
  /// backend that was not tried if the algorithm names one, else on one that was. Empty if there is
  /// none without waiting.
  public Optional<Picked> retry() {
    retries++;
    return pickAgain(Further.RETRY);
  }

  /// How long after its first pick a request is to be hedged; `Long.MAX_VALUE` for never.
  public long hedgeAfterNanos() {
    return dispatcher.hedgeDelayNanos();
  }

  /// A lease for the hedge of a request that is not answered; empty if it has one already, or no
  /// backend that was not tried can be had without waiting.
  public Optional<Picked> hedge() {
    if (hedged || !hasOther()) {
      return Optional.empty();
    }
    hedged = true;
    return pickAgain(Further.HEDGE);
  }

  private boolean hasOther() {
    BackendSet now = dispatcher.backends();
    for (int i = 0; i < now.size(); i++) {
      if (!isTried(now.get(i).id())) {
        return true;
      }
    }
    return false;
  }

  private boolean isTried(String id) {
    for (Backend each : tried) {
      if (each.id().equals(id)) {
        return true;
      }
    }
    return false;
  }

  private Optional<Picked> pickAgain(Further why) {
    if (dispatcher.pickAgain(context, why, List.copyOf(tried)) instanceof Picked lease) {
      tried.add(lease.backend());
      return Optional.of(lease);
    }
    return Optional.empty();
  }

  /// The request is answered: its winner has ended.
  public void answered() {
    dispatcher.answered(firstNanos);
  }
}
