package dev.herdlab.simulator;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The rows of a golden file: flat JSON objects, one a line.
public final class GoldenCells {
  private static final Pattern MEMBER = Pattern.compile("\"(\\w+)\": (?:\"([^\"]*)\"|([^,}\\s]+))");

  private GoldenCells() {}

  /// One row; values as they are written.
  public record Cell(Map<String, String> values) {
    public String text(String key) {
      String value = values.get(key);
      if (value == null) {
        throw new IllegalArgumentException(key + ": missing in " + values);
      }
      return value;
    }

    public double number(String key) {
      return Double.parseDouble(text(key));
    }

    public int whole(String key) {
      return Integer.parseInt(text(key));
    }
  }

  public static List<Cell> read(String file) {
    try (InputStream in = GoldenCells.class.getResourceAsStream("/golden/" + file)) {
      if (in == null) {
        throw new IllegalArgumentException(file + ": no such golden file");
      }
      List<Cell> cells = new ArrayList<>();
      for (String line : new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList()) {
        if (line.contains("\"algorithm\"")) {
          cells.add(cell(line));
        }
      }
      return cells;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Cell cell(String line) {
    Map<String, String> values = new LinkedHashMap<>();
    Matcher member = MEMBER.matcher(line);
    while (member.find()) {
      values.put(member.group(1), member.group(2) != null ? member.group(2) : member.group(3));
    }
    return new Cell(values);
  }
}
