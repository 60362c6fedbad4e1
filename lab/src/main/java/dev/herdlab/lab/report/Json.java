package dev.herdlab.lab.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.ObjectWriter;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/// JSON as Herdlab writes it: indented by two, `\n` on every system, a line break at the end.
///
/// Owner thread: any.
public final class Json {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  private Json() {}

  /// An empty object that names its format, e.g. `herdlab.run/1`.
  public static ObjectNode document(String format) {
    return object().put("format", format);
  }

  /// An empty object.
  public static ObjectNode object() {
    return JsonNodeFactory.instance.objectNode();
  }

  /// The node as text.
  public static String text(JsonNode node) {
    DefaultIndenter lines = new DefaultIndenter("  ", "\n");
    ObjectWriter writer =
        MAPPER.writer(
            new DefaultPrettyPrinter().withObjectIndenter(lines).withArrayIndenter(lines));
    try {
      return writer.writeValueAsString(node) + "\n";
    } catch (JsonProcessingException e) {
      throw new IllegalStateException("JSON tree that cannot be written", e);
    }
  }

  /// The node that `text` holds.
  ///
  /// @throws IllegalArgumentException with one line if it is not JSON
  public static JsonNode parse(String text) {
    try {
      return MAPPER.readTree(text);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "line " + e.getLocation().getLineNr() + ": not JSON: " + e.getOriginalMessage(), e);
    }
  }
}
