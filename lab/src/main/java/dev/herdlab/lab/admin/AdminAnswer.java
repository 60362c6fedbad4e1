package dev.herdlab.lab.admin;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;

/// The answer of a resource, whole in memory. Owner thread: any (immutable, but for the bytes,
/// which belong to it).
public final class AdminAnswer {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String JSON_TYPE = "application/json";

  private final int status;
  private final String type;
  private final Map<String, String> headers;
  private final byte[] body;

  private AdminAnswer(int status, String type, Map<String, String> headers, byte[] body) {
    this.status = status;
    this.type = type;
    this.headers = Map.copyOf(headers);
    this.body = body;
  }

  /// 200 with a JSON object of these fields, in their order.
  public static AdminAnswer json(Map<String, ?> fields) {
    return json(200, fields);
  }

  /// A JSON object with a status.
  public static AdminAnswer json(int status, Map<String, ?> fields) {
    try {
      String text = JSON.writeValueAsString(fields) + "\n";
      return new AdminAnswer(status, JSON_TYPE, Map.of(), text.getBytes(StandardCharsets.UTF_8));
    } catch (JsonProcessingException e) {
      throw new IllegalArgumentException("fields: " + e.getMessage(), e);
    }
  }

  /// 200 with bytes of a type.
  public static AdminAnswer bytes(String type, byte[] body, Map<String, String> headers) {
    return new AdminAnswer(200, type, headers, body);
  }

  /// `{"error": line}`.
  static AdminAnswer error(int status, String line) {
    return json(status, Map.of("error", line.strip().replaceAll("\\s+", " ")));
  }

  /// The same with another header.
  AdminAnswer withHeader(String name, String value) {
    Map<String, String> more = new HashMap<>(headers);
    more.put(name, value);
    return new AdminAnswer(status, type, more, body);
  }

  int status() {
    return status;
  }

  /// Of the content.
  String type() {
    return type;
  }

  /// Beside those of the content.
  Map<String, String> headers() {
    return headers;
  }

  byte[] body() {
    return body;
  }
}
