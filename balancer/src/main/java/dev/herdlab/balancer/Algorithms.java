package dev.herdlab.balancer;

import dev.herdlab.balancer.algorithm.BuiltIn;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// The registry: every algorithm that a spec may name. Owner thread: any (immutable).
public final class Algorithms {
  private static final Algorithms BUILT_IN = new Algorithms(BuiltIn.all());

  private final SortedMap<String, Algorithm> byName = new TreeMap<>();

  private Algorithms(List<Algorithm> algorithms) {
    algorithms.forEach(algorithm -> add("built in", algorithm));
  }

  private void add(String origin, Algorithm algorithm) {
    String name = algorithm.description().name();
    if (byName.putIfAbsent(name, algorithm) != null) {
      throw new PluginException(
          origin, "algorithm " + name + " exists already", "a name of its own");
    }
  }

  /// Those of this module.
  public static Algorithms builtIn() {
    return BUILT_IN;
  }

  /// Those of this module, those that jars on the class path declare as a service of type
  /// [Algorithm], and those that `jars` declare.
  ///
  /// The jars stay open for as long as the process lives: an algorithm loads its classes when it
  /// needs them.
  ///
  /// @throws PluginException if a jar is missing or no jar, declares no algorithm or one that can't
  ///     be loaded, or if a name is taken already
  public static Algorithms withPlugins(List<Path> jars) {
    Algorithms all = new Algorithms(BUILT_IN.all());
    Plugins.onClassPath().forEach(algorithm -> all.add("on the class path", algorithm));
    for (Path jar : jars) {
      Plugins.in(jar).forEach(algorithm -> all.add(jar.toString(), algorithm));
    }
    return all;
  }

  /// All, in the order of their names.
  public List<Algorithm> all() {
    return List.copyOf(byName.values());
  }

  /// Reads a spec such as `p2c(d=3,draws=distinct)`.
  ///
  /// @param unitNanos length of a unit, for durations given in units
  /// @throws SpecException if it names no algorithm or a parameter is wrong
  public ConfiguredAlgorithm parse(String text, long unitNanos) {
    Spec spec = Spec.parse("algorithm", text);
    Algorithm algorithm = byName.get(spec.name());
    if (algorithm == null) {
      throw spec.error(0, spec.name(), "one of " + String.join(", ", byName.keySet()));
    }
    List<Parameter> declared = algorithm.description().parameters();
    ConfiguredAlgorithm configured =
        new ConfiguredAlgorithm(text, algorithm, Parameters.bind(spec, declared, unitNanos, this));
    try {
      configured.tryOn(BackendSet.ofSize(0));
    } catch (SpecException refused) {
      throw refused; // a nested one's, that says where
    } catch (IllegalArgumentException refused) {
      throw spec.refused(String.valueOf(refused.getMessage()));
    }
    return configured;
  }
}
