package dev.herdlab.proxy.redis;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Snapshot;
import java.io.DataInput;
import java.io.DataOutput;
import java.io.IOException;

/// What the proxies of one process have in flight at one instant, by backend, and how many picks
/// each of them had made by then.
///
/// Owner thread: any; the arrays are never written to.
final class CountVector {
  private final String[] ids;
  private final int[] counts;
  private final long[] picks;

  private CountVector(String[] ids, int[] counts, long[] picks) {
    this.ids = ids;
    this.counts = counts;
    this.picks = picks;
  }

  static CountVector of(Snapshot inFlight, long[] picks) {
    BackendSet backends = inFlight.backends();
    String[] ids = new String[backends.size()];
    int[] counts = new int[ids.length];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = backends.get(i).id();
      counts[i] = inFlight.count(i);
    }
    return new CountVector(ids, counts, picks.clone());
  }

  /// Number of backends.
  int size() {
    return ids.length;
  }

  String id(int index) {
    return ids[index];
  }

  int count(int index) {
    return counts[index];
  }

  /// Picks of each proxy of the process, by index.
  long[] picks() {
    return picks.clone();
  }

  void write(DataOutput out) throws IOException {
    out.writeShort(ids.length);
    for (int i = 0; i < ids.length; i++) {
      out.writeUTF(ids[i]);
      out.writeInt(counts[i]);
    }
    writePicks(out, picks);
  }

  static CountVector read(DataInput in) throws IOException {
    String[] ids = new String[in.readUnsignedShort()];
    int[] counts = new int[ids.length];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = in.readUTF();
      counts[i] = in.readInt();
    }
    return new CountVector(ids, counts, readPicks(in));
  }

  static void writePicks(DataOutput out, long[] picks) throws IOException {
    out.writeShort(picks.length);
    for (long each : picks) {
      out.writeLong(each);
    }
  }

  static long[] readPicks(DataInput in) throws IOException {
    long[] picks = new long[in.readUnsignedShort()];
    for (int i = 0; i < picks.length; i++) {
      picks[i] = in.readLong();
    }
    return picks;
  }
}
