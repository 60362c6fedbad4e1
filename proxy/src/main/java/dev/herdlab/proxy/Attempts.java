package dev.herdlab.proxy;

import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Tries;
import dev.herdlab.transport.Deadline;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The attempts of one exchange after another: those that run, what follows when one fails, and the
/// alarm for the hedge. The rules are those of [Tries].
///
/// Only a request that is harmless to send again, and whole in its head, gets more than one. An
/// attempt that is given up gives its connection up too, by which the backend's server is free.
///
/// Owner thread: its exchange's.
final class Attempts {
  private final ProxyInstance instance;
  private final Exchange exchange;
  private final Stamps stamps;
  private final Tries tries;
  private final List<Try> running = new ArrayList<>(2);
  private boolean several;
  private @Nullable Deadline alarm;
  private String lastBackend = "";

  Attempts(ProxyInstance instance, Exchange exchange, Stamps stamps) {
    this.instance = instance;
    this.exchange = exchange;
    this.stamps = stamps;
    this.tries = new Tries(instance.dispatcher());
  }

  /// An exchange begins.
  void reset() {
    lastBackend = "";
    several = false;
  }

  /// It has its first lease.
  ///
  /// @param repeatable whether there may be more than one attempt
  Try begin(PickContext context, Picked first, boolean repeatable) {
    several = repeatable && instance.dispatcher().attemptPolicy().isActive();
    Try made = add(first);
    if (several) {
      tries.begin(context, first);
      long delay = tries.hedgeAfterNanos();
      if (delay != Long.MAX_VALUE) {
        alarm = instance.at(made.pickedNanos + delay, this::hedge);
      }
    }
    return made;
  }

  private Try add(Picked lease) {
    Try made = new Try(exchange, lease, instance.pools().get(lease.index()), instance.nanos());
    lastBackend = made.backendId();
    running.add(made);
    return made;
  }

  private void hedge() {
    alarm = null;
    tries.hedge().ifPresent(lease -> exchange.start(add(lease)));
  }

  /// Whether an attempt is one of those that run.
  boolean runs(Try attempt) {
    return running.contains(attempt);
  }

  /// Whether one is without a connection yet, and so are all.
  boolean areConnecting() {
    return running.stream().noneMatch(Try::isForwarded);
  }

  /// Id of the backend that was picked last; empty if none was.
  String lastBackend() {
    return lastBackend;
  }

  /// Whether the exchange is to go on though an attempt has failed: others run, or there is a
  /// retry. The attempt is ended then.
  ///
  /// An attempt may have ended without the exchange going on, if there was a retry to be had, but
  /// no backend for it.
  boolean goOnWithout(Try failed, FailureKind kind) {
    boolean alone = running.size() == 1;
    if (!several || (alone && !tries.mayRetry(kind))) {
      return false;
    }
    running.remove(failed);
    stamps.failed(failed);
    end(failed, new Outcome.Failed(kind));
    if (!alone) {
      return true;
    }
    Optional<Picked> next = tries.retry();
    next.ifPresent(lease -> exchange.start(add(lease)));
    return next.isPresent();
  }

  /// An attempt is answered first: the others are cancelled.
  void won(Try winner) {
    disarm();
    running.remove(winner);
    for (Try other : running) {
      stamps.givenUp(other, instance.nanos());
      end(other, Outcome.CANCELLED);
    }
    running.clear();
    running.add(winner);
  }

  /// The winner has come to its end; its connection is its exchange's affair.
  void finish(Try winner, Outcome outcome) {
    running.clear();
    winner.complete(outcome);
    if (several && outcome instanceof Outcome.Succeeded) {
      tries.answered();
    }
  }

  /// Ends all.
  void endAll(Outcome outcome) {
    disarm();
    List<Try> ending = List.copyOf(running);
    running.clear();
    for (Try each : ending) {
      if (each != ending.getLast()) {
        stamps.givenUp(each, instance.nanos());
      }
      end(each, outcome);
    }
  }

  private static void end(Try attempt, Outcome outcome) {
    BackendConnection used = attempt.detach();
    attempt.complete(outcome);
    if (used != null) {
      used.giveUp();
    }
  }

  private void disarm() {
    if (alarm != null) {
      alarm.cancel();
      alarm = null;
    }
  }
}
