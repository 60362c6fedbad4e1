package dev.herdlab.simulator.study;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;

/// Rows of named values in a fixed order. A value is a String, Boolean, Integer, Long or Double.
/// Owner thread: any (not changed once made).
///
/// @param columns in order
/// @param rows each has exactly the columns' names as keys, in their order
public record Table(List<Column> columns, List<SequencedMap<String, Object>> rows) {
  /// A column: the key in JSON and the heading in text and CSV.
  ///
  /// @param name a-z, 0-9 and _
  /// @param documentation what it is, with its unit
  public record Column(String name, String documentation) {}

  public Table {
    columns = List.copyOf(columns);
    rows = List.copyOf(rows);
    List<String> names = columns.stream().map(Column::name).toList();
    for (SequencedMap<String, Object> row : rows) {
      if (!names.equals(List.copyOf(row.sequencedKeySet()))) {
        throw new IllegalArgumentException(
            "row: " + row.keySet() + " (expected: the columns " + names + ")");
      }
    }
  }

  /// A row from names and values in turn.
  static SequencedMap<String, Object> row(Object... namesAndValues) {
    SequencedMap<String, Object> row = new LinkedHashMap<>();
    for (int i = 0; i < namesAndValues.length; i += 2) {
      row.put((String) namesAndValues[i], namesAndValues[i + 1]);
    }
    return row;
  }

  /// The means of the columns `averaged` over all rows that agree in `keys`, in the order in which
  /// these first occur; between them `count`, the number of rows.
  Table averaged(List<String> keys, String count, List<String> averaged) {
    Map<List<Object>, List<SequencedMap<String, Object>>> groups = new LinkedHashMap<>();
    for (SequencedMap<String, Object> row : rows) {
      groups.computeIfAbsent(values(row, keys), key -> new ArrayList<>()).add(row);
    }
    List<Column> kept = new ArrayList<>();
    keys.forEach(name -> kept.add(column(name)));
    kept.add(new Column(count, "number of runs averaged"));
    averaged.forEach(name -> kept.add(column(name)));
    List<SequencedMap<String, Object>> means = new ArrayList<>();
    for (List<SequencedMap<String, Object>> group : groups.values()) {
      SequencedMap<String, Object> mean = new LinkedHashMap<>();
      keys.forEach(name -> mean.put(name, value(group.getFirst(), name)));
      mean.put(count, group.size());
      for (String name : averaged) {
        double sum = 0;
        for (SequencedMap<String, Object> row : group) {
          sum += ((Number) value(row, name)).doubleValue();
        }
        mean.put(name, sum / group.size());
      }
      means.add(mean);
    }
    return new Table(kept, means);
  }

  private static List<Object> values(Map<String, Object> row, List<String> names) {
    return names.stream().map(name -> value(row, name)).toList();
  }

  private static Object value(Map<String, Object> row, String name) {
    Object value = row.get(name);
    if (value == null) {
      throw new IllegalArgumentException("column " + name + ": missing in " + row.keySet());
    }
    return value;
  }

  private Column column(String name) {
    return columns.stream().filter(column -> column.name().equals(name)).findFirst().orElseThrow();
  }
}
