package dev.herdlab.lab.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// The fields of a JSON object, read strictly: a wrong one is an `IllegalArgumentException`,
/// `name: value (expected: ...)`. Owner thread: any (immutable).
public final class JsonFields {
  private static final JsonMapper JSON =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .build();
  private static final int SHOWN_CHARS = 100;

  private final JsonNode object;

  private JsonFields(JsonNode object) {
    this.object = object;
  }

  /// Reads an object.
  static JsonFields read(byte[] text) {
    try {
      JsonNode node = JSON.readTree(text);
      if (node == null || !node.isObject()) {
        throw new IllegalArgumentException(
            "body: " + (node == null ? "nothing" : shown(node)) + " (expected: a JSON object)");
      }
      return new JsonFields(node);
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException(
          "body: " + e.getOriginalMessage() + " (expected: a JSON object)", e);
    } catch (IOException e) {
      throw new IllegalArgumentException("body: " + e.getMessage(), e);
    }
  }

  private static String shown(JsonNode node) {
    if (node.isMissingNode()) {
      return "nothing";
    }
    String text = node.isTextual() ? node.asText() : node.toString();
    return text.length() <= SHOWN_CHARS ? text : text.substring(0, SHOWN_CHARS) + "...";
  }

  /// Refuses every field of another name.
  ///
  /// @return this
  public JsonFields only(String... names) {
    List<String> known = Arrays.asList(names);
    for (Iterator<String> fields = object.fieldNames(); fields.hasNext(); ) {
      String field = fields.next();
      if (!known.contains(field)) {
        throw new IllegalArgumentException(
            field + ": unknown field (expected: " + String.join(", ", known) + ")");
      }
    }
    return this;
  }

  /// Whether there is such a field.
  public boolean has(String name) {
    return object.has(name);
  }

  /// The names of the fields, in order.
  public List<String> names() {
    List<String> names = new ArrayList<>();
    object.fieldNames().forEachRemaining(names::add);
    return names;
  }

  /// A text that is not empty.
  public String text(String name) {
    JsonNode node = object.path(name);
    if (!node.isTextual() || node.asText().isEmpty()) {
      throw wrong(name, node, "text");
    }
    return node.asText();
  }

  /// A text, if it is there.
  public Optional<String> findText(String name) {
    return has(name) ? Optional.of(text(name)) : Optional.empty();
  }

  /// A text that may be empty, of at most so many characters.
  public String anyText(String name, int maxChars) {
    JsonNode node = object.path(name);
    if (!node.isTextual() || node.asText().length() > maxChars) {
      throw wrong(name, node, "text of at most " + maxChars + " characters");
    }
    return node.asText();
  }

  /// A whole number from `min` to `max`.
  public long whole(String name, long min, long max) {
    JsonNode node = object.path(name);
    if (!node.isIntegralNumber()
        || !node.canConvertToLong()
        || node.asLong() < min
        || node.asLong() > max) {
      throw wrong(
          name,
          node,
          min == Long.MIN_VALUE && max == Long.MAX_VALUE
              ? "a whole number"
              : max == Long.MAX_VALUE
                  ? "a whole number of " + min + " or more"
                  : "a whole number from " + min + " to " + max);
    }
    return node.asLong();
  }

  /// A whole number from `min` to `max`; `otherwise` if it is not there.
  public long whole(String name, long min, long max, long otherwise) {
    return has(name) ? whole(name, min, max) : otherwise;
  }

  /// A finite number above 0.
  public double positive(String name) {
    JsonNode node = object.path(name);
    double value = node.asDouble();
    if (!node.isNumber() || !(value > 0) || Double.isInfinite(value)) {
      throw wrong(name, node, "a number above 0");
    }
    return value;
  }

  /// True or false; false if it is not there.
  public boolean flag(String name) {
    JsonNode node = object.path(name);
    if (!node.isMissingNode() && !node.isBoolean()) {
      throw wrong(name, node, "true or false");
    }
    return node.asBoolean();
  }

  /// A list of texts.
  public List<String> texts(String name) {
    return list(name, "a list of texts", node -> node.isTextual() ? node.asText() : null);
  }

  /// A list of whole numbers from `min` to `max`.
  public List<Integer> wholes(String name, int min, int max) {
    return list(
        name,
        "a list of whole numbers from " + min + " to " + max,
        node -> node.isInt() && node.asInt() >= min && node.asInt() <= max ? node.asInt() : null);
  }

  /// A list of finite numbers above 0.
  public List<Double> positives(String name) {
    return list(
        name,
        "a list of numbers above 0",
        node ->
            node.isNumber() && node.asDouble() > 0 && node.asDouble() < Double.MAX_VALUE
                ? node.asDouble()
                : null);
  }

  private <T> List<T> list(String name, String expected, Function<JsonNode, @Nullable T> read) {
    JsonNode node = object.path(name);
    if (!node.isArray() || node.isEmpty()) {
      throw wrong(name, node, expected);
    }
    List<T> values = new ArrayList<>();
    for (JsonNode item : node) {
      T value = read.apply(item);
      if (value == null) {
        throw wrong(name, item, expected);
      }
      values.add(value);
    }
    return values;
  }

  /// Whether a field is a text, where a list is possible too.
  public boolean isText(String name) {
    return object.path(name).isTextual();
  }

  private static IllegalArgumentException wrong(String name, JsonNode node, String expected) {
    return new IllegalArgumentException(
        name + ": " + shown(node) + " (expected: " + expected + ")");
  }
}
