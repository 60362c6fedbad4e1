package dev.herdlab.dns;

import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;

/// The questions that one discovery has asked, with their answers for as long as those may be
/// believed, and the last good answer for as long as no other comes.
///
/// Each question is asked again on its own when its TTL has passed. A question that is no longer
/// put is forgotten. Owner thread: the discovery's.
final class Questions {
  private final Asker asker;
  private final long minNanos;
  private final long maxNanos;
  private final LongSupplier nanoClock;
  private final Map<Question, Known> known = new HashMap<>();
  private final Set<Question> put = new HashSet<>();
  private long nextNanos;

  /// Puts a question to a server.
  @FunctionalInterface
  interface Asker {
    DnsReply ask(Name name, int type) throws InterruptedException;
  }

  private record Question(Name name, int type) {}

  /// @param records the last good answer; empty if the name has none or never had
  /// @param failure why the last try failed; empty if it did not
  /// @param absent whether the server says that there are none
  private record Known(List<Record> records, String failure, boolean absent, long untilNanos) {}

  /// What is known about a question.
  ///
  /// @param records the last good answer
  /// @param failure why there is no newer one, without the name; empty if this one is as it should
  ///     be
  /// @param absent whether the server says that there are no such records
  record Answer(List<Record> records, String failure, boolean absent) {}

  Questions(Asker asker, Duration minTtl, Duration maxTtl, LongSupplier nanoClock) {
    this.asker = asker;
    this.minNanos = minTtl.toNanos();
    this.maxNanos = maxTtl.toNanos();
    this.nanoClock = nanoClock;
  }

  /// Begins a pass: the questions that are put until [#end] are those that matter.
  void begin() {
    put.clear();
    nextNanos = nanoClock.getAsLong() + maxNanos;
  }

  /// Ends a pass.
  ///
  /// @return when the first of its answers runs out, on the clock
  long end() {
    known.keySet().retainAll(put);
    return nextNanos;
  }

  /// The answer, from memory if it may still be believed.
  Answer put(Name name, int type) throws InterruptedException {
    Question question = new Question(name, type);
    put.add(question);
    Known before = known.get(question);
    long now = nanoClock.getAsLong();
    Known current =
        before != null && before.untilNanos - now > 0 ? before : asked(question, before);
    known.put(question, current);
    if (current.untilNanos - nextNanos < 0) {
      nextNanos = current.untilNanos;
    }
    return new Answer(current.records, current.failure, current.absent);
  }

  private Known asked(Question question, @Nullable Known before) throws InterruptedException {
    DnsReply reply = asker.ask(question.name, question.type);
    return switch (reply) {
      case DnsReply.Found found -> new Known(found.records(), "", false, until(found.ttlSeconds()));
      case DnsReply.Absent absent -> new Known(List.of(), "", true, until(absent.ttlSeconds()));
      case DnsReply.Failed failed ->
          before == null
              ? new Known(List.of(), failed.reason(), false, until(0))
              : new Known(before.records, failed.reason(), before.absent, until(0));
    };
  }

  private long until(long ttlSeconds) {
    long nanos = Duration.ofSeconds(ttlSeconds).toNanos();
    return nanoClock.getAsLong() + Math.min(maxNanos, Math.max(minNanos, nanos));
  }
}
