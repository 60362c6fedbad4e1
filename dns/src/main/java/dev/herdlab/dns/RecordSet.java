package dev.herdlab.dns;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntUnaryOperator;
import org.xbill.DNS.Name;
import org.xbill.DNS.Record;

/// The records of one name and type, and where the next answer begins.
///
/// Owner thread: the server's.
final class RecordSet {
  private final List<Record> records;
  private int next;

  /// @param records of one name and type, with equal TTLs; at least one
  RecordSet(List<Record> records) {
    this.records = List.copyOf(records);
  }

  /// As they stand in the file.
  List<Record> records() {
    return records;
  }

  Record first() {
    return records.getFirst();
  }

  /// For an answer, in the order that the rotation gives, under the name that was asked for. Where
  /// the next one begins is for [#given] to say.
  ///
  /// @param coins a number from 0 to its argument - 1; used by [Rotation#RANDOM] alone
  List<Record> answer(Name owner, Rotation rotation, IntUnaryOperator coins) {
    List<Record> ordered = new ArrayList<>(records.size());
    int start =
        switch (rotation) {
          case NONE, RANDOM -> 0;
          case CYCLIC -> next;
        };
    for (int i = 0; i < records.size(); i++) {
      Record record = records.get((start + i) % records.size());
      ordered.add(record.getName().equals(owner) ? record : record.withName(owner));
    }
    if (rotation == Rotation.RANDOM) {
      for (int i = ordered.size() - 1; i > 0; i--) {
        int other = coins.applyAsInt(i + 1);
        Record record = ordered.get(i);
        ordered.set(i, ordered.get(other));
        ordered.set(other, record);
      }
    }
    return ordered;
  }

  /// An answer has been given as a whole: the next one begins one record further.
  void given() {
    next = (next + 1) % records.size();
  }
}
