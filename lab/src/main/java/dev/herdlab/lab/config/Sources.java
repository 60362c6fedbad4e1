package dev.herdlab.lab.config;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// What was written where: a file's fields, `--set key=value`, and environment variables
/// `HERDLAB_<KEY>`. A later one of the three wins over an earlier one in the order file,
/// environment, `--set`; of two `--set` of a key, the last.
///
/// Owner thread: any (immutable).
///
/// @param file the fields of the file; empty when there is none
/// @param sets values by key, as given by `--set`
/// @param environment the process's environment
public record Sources(
    Optional<Node.Fields> file, Map<String, String> sets, Map<String, String> environment) {
  /// The launcher's variable, which is no key.
  private static final String LAUNCHER_VARIABLE = "HERDLAB_JAVA_OPTS";

  /// Reads them.
  ///
  /// @throws ConfigException if the file is not readable YAML or a `--set` is not key=value
  public static Sources read(
      Optional<Path> file, List<String> sets, Map<String, String> environment) {
    Map<String, String> values = new LinkedHashMap<>();
    for (String set : sets) {
      int equals = set.indexOf('=');
      if (equals < 1) {
        throw ConfigException.at("--set", set, "key=value");
      }
      values.put(set.substring(0, equals).strip(), set.substring(equals + 1).strip());
    }
    return new Sources(file.map(YamlReader::read), values, Map.copyOf(environment));
  }

  /// The values that win over the file's, by key.
  ///
  /// @throws ConfigException for a `--set` of a key that is not in `table`
  Map<String, Node> overrides(KeyTable table) {
    Map<String, Node> overrides = new LinkedHashMap<>();
    for (Key<?> key : table.keys()) {
      String value = environment.get(Origin.variable(key.name()));
      if (value != null) {
        overrides.put(key.name(), node(key, value.strip(), new Origin.Environment()));
      }
    }
    sets.forEach(
        (name, value) -> {
          Key<?> key =
              table
                  .find(name)
                  .orElseThrow(
                      () ->
                          ConfigException.at(
                              "--set " + name, "unknown key", table.expectedInsteadOf(name)));
          overrides.put(name, node(key, value, new Origin.Flag()));
        });
    return overrides;
  }

  /// Lines about environment variables that look like keys and are none.
  public List<String> warnings(KeyTable table) {
    List<String> variables = table.names().stream().map(Origin::variable).toList();
    List<String> warnings = new ArrayList<>();
    environment.keySet().stream()
        .filter(name -> name.startsWith("HERDLAB_"))
        .filter(name -> !name.equals(LAUNCHER_VARIABLE) && !variables.contains(name))
        .sorted()
        .forEach(
            name ->
                KeyTable.nearest(
                        name.substring(8), variables.stream().map(v -> v.substring(8)).toList())
                    .ifPresent(
                        near ->
                            warnings.add(
                                "environment "
                                    + name
                                    + ": ignored (expected: perhaps HERDLAB_"
                                    + near
                                    + ")")));
    return warnings;
  }

  /// A text as a list where the key takes one, brackets around it or not.
  private static Node node(Key<?> key, String text, Origin origin) {
    if (key.shape() == Key.Shape.ONE) {
      return new Node.Scalar(text, origin);
    }
    boolean bracketed = text.startsWith("[") && text.endsWith("]");
    String inner = bracketed ? text.substring(1, text.length() - 1).strip() : text;
    return new Node.Scalar(inner, origin);
  }
}
