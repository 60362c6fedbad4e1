package dev.herdlab.proxy.redis;

import dev.herdlab.balancer.Snapshot;
import dev.herdlab.proxy.BoardMember;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/// One process's part in sharing counts: asks all processes for theirs when a copy is due, answers
/// when it is asked, and hands copies to its proxies.
///
/// Copies for all proxies are made by one process at a time, the one that holds the lead; the
/// others try for it when they have heard of no such copy for one and a half intervals.
///
/// Owner thread: its link's.
final class Collector implements RedisLink.Events {
  // Long enough for a collection of garbage, so that the lead does not change because of one.
  private static final long SHORTEST_LEASE_MILLIS = 100;
  private static final long NANOS_PER_MILLI = 1_000_000;
  // Far above any sensible number of processes: what is beyond it is not remembered.
  private static final int MAX_PROCESSES = 4096;

  private final RedisSettings settings;
  private final UUID me;
  private final RedisLink link;
  private final BoardMember member;
  private final Map<Integer, Round> rounds = new HashMap<>();
  private final Map<UUID, Heard> heard = new LinkedHashMap<>();
  private long tokens;
  private long keptNanos;
  private long greatestNumber;
  private long lastShown;
  private long lastCommonNanos;
  private boolean everCommon;
  private boolean leads;
  private volatile Reach reach = new Reach(0, 0);

  /// Counts of a process, to be used as long as it answers no more.
  private record Heard(CountVector counts, long untilNanos) {}

  /// How many processes the last copy was of, and how many of them had not answered. Owner thread:
  /// any (immutable).
  record Reach(int processes, int silent) {}

  /// @param me this process
  Collector(RedisSettings settings, UUID me, RedisLink link, BoardMember member) {
    this.settings = settings;
    this.me = me;
    this.link = link;
    this.member = member;
  }

  /// How many processes the last copy was of. Any thread.
  Reach reach() {
    return reach;
  }

  /// A copy is due.
  void due(int slot, long refreshNanos) {
    // One that has not come to its end when the next is due: Redis is slow.
    if (!link.isUp() || rounds.containsKey(slot)) {
      return;
    }
    if (slot == Message.COMMON && !leads && heardOfCommon(refreshNanos + refreshNanos / 2)) {
      return;
    }
    begin(slot, refreshNanos);
  }

  private boolean heardOfCommon(long withinNanos) {
    return everCommon && System.nanoTime() - lastCommonNanos < withinNanos;
  }

  private void begin(int slot, long refreshNanos) {
    Round round = new Round(slot, ++tokens, System.nanoTime());
    rounds.put(slot, round);
    keptNanos = refreshNanos + settings.expiry().toNanos();
    byte[] question = new Message.Collect(me, slot, round.token()).encode();
    long leaseMillis =
        slot == Message.COMMON
            ? Math.max(SHORTEST_LEASE_MILLIS, 2 * refreshNanos / NANOS_PER_MILLI)
            : 0;
    link.ask(leaseMillis, greatestNumber, question, reply -> asked(round, reply));
  }

  private void asked(Round round, Connections.Asked reply) {
    if (round.slot() == Message.COMMON) {
      leads = reply.isGranted();
    }
    if (!reply.isGranted()) {
      rounds.remove(round.slot(), round);
      return;
    }
    greatestNumber = Math.max(greatestNumber, reply.number());
    round.asked(reply.number(), reply.reached());
    end(round);
    // From now, not from the question: a Redis that is slow for a moment is slow for all.
    if (rounds.containsValue(round)) {
      link.schedule(
          settings.answerBound(),
          () -> {
            round.late();
            end(round);
          });
    }
  }

  private void end(Round round) {
    if (!round.isOver() || !rounds.remove(round.slot(), round)) {
      return;
    }
    if (round.answers().isEmpty()) {
      // Nothing is known that was not known before.
      return;
    }
    SharedCopy copy = sum(round);
    long truthNanos = round.truthNanos();
    if (round.slot() == Message.COMMON) {
      long ageNanos = System.nanoTime() - truthNanos + link.roundTripNanos() / 2;
      link.tellAll(new Message.Common(copy, ageNanos).encode());
    } else {
      showOne(round.slot() - 1, copy, truthNanos);
    }
  }

  private SharedCopy sum(Round round) {
    SharedCopy copy = new SharedCopy(round.number());
    round.answers().forEach(copy::add);
    long now = System.nanoTime();
    heard.values().removeIf(last -> now - last.untilNanos() > 0);
    heard.forEach(
        (process, last) -> {
          if (!round.answers().containsKey(process)) {
            copy.addSilent(process, last.counts());
          }
        });
    return copy;
  }

  @Override
  public void received(byte[] bytes, long arrivedNanos) throws IOException {
    switch (Message.decode(bytes)) {
      case Message.Collect question -> answer(question);
      case Message.Answer answer -> answered(answer);
      case Message.Common(SharedCopy copy, long ageNanos) ->
          showAll(copy, arrivedNanos - ageNanos - link.roundTripNanos() / 2);
      case Message.Farewell(UUID from) -> {
        heard.remove(from);
        // If that was the leader, its lead is free.
        everCommon = false;
      }
    }
  }

  private void answer(Message.Collect question) {
    if (question.slot() == Message.COMMON) {
      everCommon = true;
      lastCommonNanos = System.nanoTime();
    }
    member.execute(
        () -> {
          CountVector counts = CountVector.of(member.inFlight(0), member.picks());
          link.execute(() -> answer(question, counts));
        });
  }

  private void answer(Message.Collect question, CountVector counts) {
    var answer = new Message.Answer(me, question.slot(), question.token(), counts);
    if (question.asker().equals(me)) {
      answered(answer);
    } else {
      link.tell(question.asker(), answer.encode());
    }
  }

  private void answered(Message.Answer answer) {
    long now = System.nanoTime();
    Round round = rounds.get(answer.slot());
    boolean awaited = round != null && round.token() == answer.token();
    if (heard.containsKey(answer.from()) || heard.size() < MAX_PROCESSES) {
      heard.put(answer.from(), new Heard(answer.counts(), now + keptNanos));
    }
    if (round != null && awaited) {
      round.answered(answer, now);
      end(round);
    }
  }

  private void showAll(SharedCopy copy, long truthNanos) {
    everCommon = true;
    lastCommonNanos = System.nanoTime();
    greatestNumber = Math.max(greatestNumber, copy.number());
    if (copy.number() <= lastShown) {
      // Of a leader that was stopped for longer than its lease.
      return;
    }
    lastShown = copy.number();
    reach = new Reach(copy.processes(), copy.silent());
    member.execute(
        () -> {
          Snapshot snapshot = copy.snapshot(member, System.nanoTime() - truthNanos);
          member.showAll(snapshot, copy.picksOf(me, member.picks().length));
        });
  }

  private void showOne(int instance, SharedCopy copy, long truthNanos) {
    reach = new Reach(copy.processes(), copy.silent());
    member.execute(
        () -> {
          Snapshot snapshot = copy.snapshot(member, System.nanoTime() - truthNanos);
          member.show(instance, snapshot, copy.picksOf(me, member.picks().length)[instance]);
        });
  }

  @Override
  public void down() {
    rounds.clear();
    leads = false;
    everCommon = false;
  }

  /// This process ends in order.
  void leave() {
    if (link.isUp()) {
      link.giveUpLead();
      link.tellAll(new Message.Farewell(me).encode());
    }
  }
}
