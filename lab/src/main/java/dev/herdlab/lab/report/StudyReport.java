package dev.herdlab.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.herdlab.simulator.study.StudyResult;
import dev.herdlab.simulator.study.Table;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.SequencedMap;

/// What a study found, as text, as the document `herdlab.study/1`, and as CSV (RFC 4180).
///
/// JSON and CSV carry every run with all digits, JSON the other findings too; text carries the
/// summary and these. Owner thread: any.
public final class StudyReport {
  private StudyReport() {}

  /// For a program.
  public static String json(String study, StudyResult result) {
    ObjectNode root = Json.document("herdlab.study/1");
    root.put("study", study);
    addRows(root.putArray("cells"), result.cells());
    for (StudyResult.Part part : result.parts()) {
      switch (part.shape()) {
        case LIST -> addRows(root.putArray(part.name()), part.table());
        case ONE -> addRow(root.putObject(part.name()), part.table().rows().getFirst());
      }
    }
    ArrayNode notes = root.putArray("notes");
    result.notes().forEach(notes::add);
    return Json.text(root);
  }

  private static void addRows(ArrayNode array, Table table) {
    table.rows().forEach(row -> addRow(array.addObject(), row));
  }

  private static void addRow(ObjectNode object, SequencedMap<String, Object> row) {
    row.forEach((name, value) -> put(object, name, value));
  }

  private static void put(ObjectNode cell, String name, Object value) {
    switch (value) {
      case Boolean truth -> cell.put(name, truth);
      case Integer whole -> cell.put(name, whole);
      case Long whole -> cell.put(name, whole);
      case Double number when Double.isFinite(number) -> cell.put(name, number);
      case Double _ -> cell.putNull(name);
      default -> cell.put(name, value.toString());
    }
  }

  /// For a spreadsheet: the cells alone.
  public static String csv(StudyResult result) {
    StringBuilder out = new StringBuilder();
    appendCsv(out, result.cells().columns().stream().map(Table.Column::name).toList());
    result
        .cells()
        .rows()
        .forEach(row -> appendCsv(out, row.values().stream().map(StudyReport::plain).toList()));
    return out.toString();
  }

  /// All digits; nothing for what there is no number for.
  private static String plain(Object value) {
    return value instanceof Double number && number.isNaN() ? "" : value.toString();
  }

  private static void appendCsv(StringBuilder out, List<String> values) {
    List<String> quoted = new ArrayList<>();
    for (String value : values) {
      boolean special = value.chars().anyMatch(c -> c == ',' || c == '"' || c == '\n' || c == '\r');
      quoted.add(special ? '"' + value.replace("\"", "\"\"") + '"' : value);
    }
    out.append(String.join(",", quoted)).append("\r\n");
  }

  /// For a person: the summary as a table, the other findings, then the notes.
  public static String text(StudyResult result) {
    StringBuilder out = new StringBuilder();
    appendText(out, result.summary());
    for (StudyResult.Part part : result.parts()) {
      out.append('\n').append(part.title()).append('\n');
      appendText(out, part.table());
    }
    for (String note : result.notes()) {
      out.append('\n').append(String.join("\n", TextLines.wrap(note, RunText.COLUMNS)));
    }
    return result.notes().isEmpty() ? out.toString() : out.append('\n').toString();
  }

  private static void appendText(StringBuilder out, Table table) {
    List<List<String>> lines = new ArrayList<>();
    lines.add(table.columns().stream().map(Table.Column::name).toList());
    table.rows().forEach(row -> lines.add(row.values().stream().map(StudyReport::shown).toList()));
    int[] widths = new int[table.columns().size()];
    for (List<String> line : lines) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], line.get(i).length());
      }
    }
    boolean[] numeric = numeric(table);
    for (List<String> line : lines) {
      StringBuilder text = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        String padding = " ".repeat(widths[i] - line.get(i).length());
        text.append(numeric[i] ? padding + line.get(i) : line.get(i) + padding).append("  ");
      }
      out.append(text.toString().stripTrailing()).append('\n');
    }
  }

  private static boolean[] numeric(Table table) {
    boolean[] numeric = new boolean[table.columns().size()];
    if (!table.rows().isEmpty()) {
      int i = 0;
      for (Object value : table.rows().getFirst().values()) {
        numeric[i++] = value instanceof Number;
      }
    }
    return numeric;
  }

  private static String shown(Object value) {
    if (!(value instanceof Double number)) {
      return value.toString();
    }
    if (number.isNaN()) {
      return "-";
    }
    return number == Math.rint(number) && Math.abs(number) < 1e9
        ? Figures.plain(number)
        : String.format(Locale.ROOT, Math.abs(number) < 1 ? "%.3f" : "%.2f", number);
  }
}
