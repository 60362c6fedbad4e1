package dev.herdlab.lab.admin;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// The resources of one component: paths, and for each the methods that it has and what they do.
///
/// Owner thread: its maker's until the server starts, then any (it is not changed any more).
public final class AdminResources {
  /// The longest body where a resource says no other: settings are short.
  public static final int DEFAULT_BODY_BYTES = 64 * 1024;

  private final List<Resource> resources = new ArrayList<>();

  /// One path.
  ///
  /// @param methods by name
  private record Resource(String path, Map<String, Method> methods) {
    /// What stands for the names in braces; empty if another path is asked for.
    Optional<Map<String, String>> match(String asked) {
      String[] mine = path.split("/", -1);
      String[] theirs = asked.split("/", -1);
      if (mine.length != theirs.length) {
        return Optional.empty();
      }
      Map<String, String> parts = new HashMap<>();
      for (int i = 0; i < mine.length; i++) {
        if (mine[i].startsWith("{") && !theirs[i].isEmpty()) {
          parts.put(mine[i].substring(1, mine[i].length() - 1), theirs[i]);
        } else if (!mine[i].equals(theirs[i])) {
          return Optional.empty();
        }
      }
      return Optional.of(parts);
    }
  }

  /// One method of a path.
  ///
  /// @param bodyBytes longest body of a request
  record Method(int bodyBytes, AdminHandler handler) {}

  /// A path that was asked for.
  ///
  /// @param parts what stands for the names in braces
  /// @param methods by name, at least one
  record Found(Map<String, String> parts, Map<String, Method> methods) {}

  /// Adds a method of a path.
  ///
  /// @param path such as `/runs/{id}/requests`
  /// @return this
  public AdminResources on(String method, String path, AdminHandler handler) {
    return on(method, path, DEFAULT_BODY_BYTES, handler);
  }

  /// Adds a method of a path whose requests may have longer bodies.
  ///
  /// @return this
  public AdminResources on(String method, String path, int bodyBytes, AdminHandler handler) {
    Resource resource =
        resources.stream().filter(one -> one.path().equals(path)).findFirst().orElse(null);
    if (resource == null) {
      resource = new Resource(path, new TreeMap<>());
      resources.add(resource);
    }
    if (resource.methods().put(method, new Method(bodyBytes, handler)) != null) {
      throw new IllegalArgumentException(method + " " + path + ": twice (expected: once)");
    }
    return this;
  }

  /// The first resource that fits a path.
  Optional<Found> find(String path) {
    for (Resource resource : resources) {
      Optional<Map<String, String>> parts = resource.match(path);
      if (parts.isPresent()) {
        return Optional.of(new Found(parts.get(), resource.methods()));
      }
    }
    return Optional.empty();
  }

  /// The paths, in the order in which they were added.
  List<String> paths() {
    return resources.stream().map(Resource::path).toList();
  }
}
