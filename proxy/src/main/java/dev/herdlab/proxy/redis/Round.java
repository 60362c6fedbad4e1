package dev.herdlab.proxy.redis;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/// One collection of counts while it goes on: asked, answered by one process after another, over
/// when all that were reached have answered, or the bound has passed.
///
/// Owner thread: its collector's.
final class Round {
  private final int slot;
  private final long token;
  private final long askedNanos;
  private final Map<UUID, CountVector> answers = new LinkedHashMap<>();
  private long number;
  private long halfTrips;
  private long reached = -1;
  private boolean late;

  /// @param slot what it is for
  /// @param askedNanos when the question was sent
  Round(int slot, long token, long askedNanos) {
    this.slot = slot;
    this.token = token;
    this.askedNanos = askedNanos;
  }

  int slot() {
    return slot;
  }

  long token() {
    return token;
  }

  /// The question is out.
  ///
  /// @param copyNumber what the copy will be called
  /// @param processes how many it reached
  void asked(long copyNumber, long processes) {
    number = copyNumber;
    reached = processes;
  }

  void answered(Message.Answer answer, long nowNanos) {
    if (answers.putIfAbsent(answer.from(), answer.counts()) == null) {
      halfTrips += (nowNanos - askedNanos) / 2;
    }
  }

  /// The bound has passed: who has not answered is not waited for.
  void late() {
    late = true;
  }

  boolean isOver() {
    return reached >= 0 && (late || answers.size() >= reached);
  }

  /// Answers by process.
  Map<UUID, CountVector> answers() {
    return answers;
  }

  long number() {
    return number;
  }

  /// When the counts were true: each process's, on average, half way between question and answer.
  long truthNanos() {
    return askedNanos + halfTrips / Math.max(1, answers.size());
  }
}
