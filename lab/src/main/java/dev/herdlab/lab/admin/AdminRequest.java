package dev.herdlab.lab.admin;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One request to a resource, whole in memory. Owner thread: any (immutable, but for the bytes,
/// which belong to it).
public final class AdminRequest {
  private final Map<String, String> parts;
  private final Map<String, String> query;
  private final byte[] body;

  /// @param parts what stands in the path for the names in braces of the resource's
  /// @param query decoded, by name
  /// @param body at most as long as the resource allows
  AdminRequest(Map<String, String> parts, Map<String, String> query, byte[] body) {
    this.parts = Map.copyOf(parts);
    this.query = Map.copyOf(query);
    this.body = body;
  }

  /// The body as it came.
  public byte[] body() {
    return body;
  }

  /// The part of the path that is called `name` in the resource's.
  public String part(String name) {
    String part = parts.get(name);
    if (part == null) {
      throw new IllegalStateException("path part: " + name + " (expected: " + parts + ")");
    }
    return part;
  }

  /// A parameter of the query that must be there.
  ///
  /// @throws IllegalArgumentException if it is not
  public String parameter(String name) {
    return find(name)
        .orElseThrow(
            () -> new IllegalArgumentException(name + ": nothing (expected: ?" + name + "=...)"));
  }

  /// A parameter of the query.
  public Optional<String> find(String name) {
    return Optional.ofNullable(query.get(name));
  }

  /// A whole number in the query that must be there.
  ///
  /// @throws IllegalArgumentException if it is not there or no such number
  public long wholeParameter(String name) {
    String text = parameter(name);
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException(name + ": " + text + " (expected: a whole number)", e);
    }
  }

  /// The body as a JSON object.
  ///
  /// @throws IllegalArgumentException if it is none
  public JsonFields json() {
    return JsonFields.read(body);
  }

  /// Takes a query apart.
  ///
  /// @throws IllegalArgumentException if it names something twice
  static Map<String, String> query(@Nullable String raw) {
    Map<String, String> query = new LinkedHashMap<>();
    if (raw == null || raw.isEmpty()) {
      return query;
    }
    for (String pair : raw.split("&", -1)) {
      int equals = pair.indexOf('=');
      String name = decoded(equals < 0 ? pair : pair.substring(0, equals));
      String value = equals < 0 ? "" : decoded(pair.substring(equals + 1));
      if (query.put(name, value) != null) {
        throw new IllegalArgumentException(name + ": twice in the query (expected: once)");
      }
    }
    return query;
  }

  private static String decoded(String text) {
    // It has been read as a URI: what stands behind each % is a number.
    return URLDecoder.decode(text, StandardCharsets.UTF_8);
  }
}
