package dev.herdlab.lab.config;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import com.fasterxml.jackson.dataformat.yaml.YAMLParser;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.yaml.snakeyaml.error.MarkedYAMLException;

/// Reads a YAML file into [Node]s that know their lines. One document, a map at the top, no
/// anchors.
///
/// Errors are [ConfigException]s with file and line. Owner thread: any.
final class YamlReader {
  /// A bound, far above any experiment's size.
  static final long MAX_BYTES = 1 << 20;

  private static final int MAX_DEPTH = 8;

  private final String file;
  private final YAMLParser parser;

  private YamlReader(String file, YAMLParser parser) {
    this.file = file;
    this.parser = parser;
  }

  static Node.Fields read(Path path) {
    String file = path.toString();
    String text = text(path);
    try (YAMLParser parser = new YAMLFactory().createParser(text)) {
      return new YamlReader(file, parser).document();
    } catch (JacksonException e) {
      throw syntaxError(file, e);
    } catch (IOException e) {
      throw new ConfigException(file + ": " + e.getMessage());
    }
  }

  private static String text(Path path) {
    String expected = "a readable YAML file";
    try {
      if (Files.isDirectory(path)) {
        throw ConfigException.at(path.toString(), "a folder", expected);
      }
      if (Files.size(path) > MAX_BYTES) {
        throw ConfigException.at(
            path.toString(), Files.size(path) + " bytes", "at most " + MAX_BYTES + " bytes");
      }
      return Files.readString(path);
    } catch (NoSuchFileException e) {
      throw ConfigException.at(path.toString(), "no such file", expected);
    } catch (CharacterCodingException e) {
      throw ConfigException.at(path.toString(), "not UTF-8 text", expected);
    } catch (IOException e) {
      throw ConfigException.at(
          path.toString(), "cannot be read: " + e.getClass().getSimpleName(), expected);
    }
  }

  private Node.Fields document() throws IOException {
    JsonToken first = parser.nextToken();
    if (first == null) {
      throw ConfigException.at(file, "empty", "keys such as rho: 0.8");
    }
    Node root = value(first, 0);
    if (!(root instanceof Node.Fields fields)) {
      throw ConfigException.at(place(root.origin()), root.summary(), "keys such as rho: 0.8");
    }
    if (parser.nextToken() != null) {
      throw ConfigException.at(place(origin()), "a second document", "one document");
    }
    return fields;
  }

  private Node value(JsonToken token, int depth) throws IOException {
    Origin origin = origin();
    if (depth > MAX_DEPTH) {
      throw ConfigException.at(place(origin), "nested more than " + MAX_DEPTH + " deep", "less");
    }
    if (parser.isCurrentAlias()) {
      throw ConfigException.at(place(origin), "*" + parser.getText(), "the value itself, no alias");
    }
    return switch (token) {
      case START_OBJECT -> fields(origin, depth);
      case START_ARRAY -> items(origin, depth);
      case VALUE_NULL -> new Node.Scalar("", origin);
      default -> new Node.Scalar(parser.getText().strip(), origin);
    };
  }

  private Node.Fields fields(Origin origin, int depth) throws IOException {
    List<Node.Field> fields = new ArrayList<>();
    Map<String, Origin> seen = new HashMap<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_OBJECT;
        token = parser.nextToken()) {
      String name = parser.currentName();
      Origin named = origin();
      Origin before = seen.put(name, named);
      if (before instanceof Origin.Line(String _, int line)) {
        throw ConfigException.at(
            named.describe(name), "given before, in line " + line, "each key once");
      }
      fields.add(new Node.Field(name, value(parser.nextToken(), depth + 1), named));
    }
    return new Node.Fields(fields, origin);
  }

  private Node.Items items(Origin origin, int depth) throws IOException {
    List<Node> items = new ArrayList<>();
    for (JsonToken token = parser.nextToken();
        token != JsonToken.END_ARRAY;
        token = parser.nextToken()) {
      items.add(value(token, depth + 1));
    }
    return new Node.Items(items, origin);
  }

  private Origin origin() {
    return new Origin.Line(file, parser.currentTokenLocation().getLineNr());
  }

  private static String place(Origin origin) {
    return origin.place("");
  }

  private static ConfigException syntaxError(String file, JacksonException e) {
    if (e.getCause() instanceof MarkedYAMLException marked && marked.getProblemMark() != null) {
      int line = marked.getProblemMark().getLine() + 1;
      return ConfigException.at(file + ":" + line, String.valueOf(marked.getProblem()), "YAML");
    }
    JsonLocation location = e.getLocation();
    String at = location == null ? file : file + ":" + location.getLineNr();
    return ConfigException.at(at, String.valueOf(e.getOriginalMessage()), "YAML");
  }
}
