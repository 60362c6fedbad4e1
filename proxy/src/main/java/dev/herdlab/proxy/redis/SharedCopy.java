package dev.herdlab.proxy.redis;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Snapshot;
import dev.herdlab.proxy.BoardMember;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.UUID;

/// The counts of all processes together: what a collection comes to.
///
/// Cost: O(n) for each process. Owner thread: whoever fills it, until it is handed on; then any.
final class SharedCopy {
  private final long number;
  private final Map<String, Integer> counts = new LinkedHashMap<>();
  private final Map<UUID, long[]> picks = new HashMap<>();
  private int silent;

  /// No counts.
  SharedCopy(long number) {
    this.number = number;
  }

  long number() {
    return number;
  }

  /// Adds the counts with which a process answered.
  void add(UUID process, CountVector vector) {
    for (int i = 0; i < vector.size(); i++) {
      counts.merge(vector.id(i), vector.count(i), Integer::sum);
    }
    picks.put(process, vector.picks());
  }

  /// Adds earlier counts of a process that did not answer.
  void addSilent(UUID process, CountVector vector) {
    add(process, vector);
    silent++;
  }

  /// How many processes it is of.
  int processes() {
    return picks.size();
  }

  /// How many of them did not answer.
  int silent() {
    return silent;
  }

  /// In flight on a backend; 0 if no process knows it.
  int countOf(String backend) {
    return counts.getOrDefault(backend, 0);
  }

  /// As dispatchers take it. On the proxies' loop.
  ///
  /// @param ageNanos for how long it has not been true any more
  Snapshot snapshot(BoardMember member, long ageNanos) {
    BackendSet backends = member.backends();
    int[] here = new int[backends.size()];
    for (int i = 0; i < here.length; i++) {
      here[i] = countOf(backends.get(i).id());
    }
    return new Snapshot(number, backends, here, member.clockNanos() - ageNanos);
  }

  /// How many picks of each of a process's proxies it knows of.
  ///
  /// @param proxies how many the process has
  long[] picksOf(UUID process, int proxies) {
    long[] known = picks.get(process);
    return known == null || known.length != proxies ? new long[proxies] : known.clone();
  }

  void write(DataOutput out) throws IOException {
    out.writeLong(number);
    out.writeShort(silent);
    out.writeShort(counts.size());
    for (Map.Entry<String, Integer> count : counts.entrySet()) {
      out.writeUTF(count.getKey());
      out.writeInt(count.getValue());
    }
    out.writeShort(picks.size());
    for (Map.Entry<UUID, long[]> of : picks.entrySet()) {
      Message.writeId(out, of.getKey());
      CountVector.writePicks(out, of.getValue());
    }
  }

  static SharedCopy read(DataInput in) throws IOException {
    SharedCopy copy = new SharedCopy(in.readLong());
    copy.silent = in.readUnsignedShort();
    int backends = in.readUnsignedShort();
    for (int i = 0; i < backends; i++) {
      copy.counts.put(in.readUTF(), in.readInt());
    }
    int processes = in.readUnsignedShort();
    for (int i = 0; i < processes; i++) {
      copy.picks.put(Message.readId(in), CountVector.readPicks(in));
    }
    return copy;
  }
}
