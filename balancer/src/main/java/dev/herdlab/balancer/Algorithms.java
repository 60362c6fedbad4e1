package dev.herdlab.balancer;

import java.util.ArrayList;
import java.util.List;
import java.util.ServiceLoader;
import java.util.SortedMap;
import java.util.TreeMap;

/// The registry: every algorithm that a spec may name. Owner thread: any (immutable).
public final class Algorithms {
  private static final List<Algorithm> BUILT_IN =
      List.of(
          RandomPick.ALGORITHM,
          RoundRobin.ALGORITHM,
          WeightedRoundRobin.ALGORITHM,
          SmoothWeightedRoundRobin.ALGORITHM,
          LeastConn.ALGORITHM,
          PowerOfChoices.ALGORITHM);

  private final SortedMap<String, Algorithm> byName;

  private Algorithms(List<Algorithm> algorithms) {
    byName = new TreeMap<>();
    for (Algorithm algorithm : algorithms) {
      String name = algorithm.description().name();
      if (byName.put(name, algorithm) != null) {
        throw new IllegalArgumentException(
            "algorithm " + name + ": registered twice (expected: unique names)");
      }
    }
  }

  /// Those of this module.
  public static Algorithms builtIn() {
    return new Algorithms(BUILT_IN);
  }

  /// Those of this module and every service of type [Algorithm] that `plugins` finds.
  ///
  /// @throws IllegalArgumentException if two have the same name
  public static Algorithms withPlugins(ClassLoader plugins) {
    List<Algorithm> all = new ArrayList<>(BUILT_IN);
    ServiceLoader.load(Algorithm.class, plugins).forEach(all::add);
    return new Algorithms(all);
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
    return new ConfiguredAlgorithm(
        text,
        algorithm,
        Parameters.bind(spec, algorithm.description().parameters(), unitNanos));
  }
}
