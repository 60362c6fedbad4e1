package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/// A product's own rules for an algorithm, by the product's name: the value `as=` of a spec.
///
/// Owner thread: any (immutable).
///
/// @param name as written in a spec
/// @param source where the rules stand and of which version, and what they are; Markdown
/// @param rules parameter by parameter, the value that they demand; [#OWN] where they leave nothing
///     to choose
record Preset(String name, String source, SortedMap<String, String> rules) {
  /// In the place of a value: the parameter has no meaning under these rules.
  static final String OWN = "";

  Preset {
    rules = Collections.unmodifiableSortedMap(new TreeMap<>(rules));
  }

  Preset(String name, String source, Map<String, String> rules) {
    this(name, source, new TreeMap<>(rules));
  }

  /// No product's rules: the default of `as`.
  ///
  /// @param meaningless parameters that only some product's rules use
  static Preset none(String... meaningless) {
    Map<String, String> rules = new HashMap<>();
    for (String name : meaningless) {
      rules.put(name, OWN);
    }
    return new Preset("none", "", rules);
  }

  /// Rules from names and values in turn, in two parts.
  static Map<String, String> rules(String[] some, String... others) {
    Map<String, String> rules = new HashMap<>();
    for (String[] part : new String[][] {some, others}) {
      for (int i = 0; i < part.length; i += 2) {
        rules.put(part[i], part[i + 1]);
      }
    }
    return rules;
  }

  /// Whether the rules of one of these products were asked for.
  static boolean isOneOf(Parameters parameters, String... products) {
    return List.of(products).contains(parameters.choice("as"));
  }

  /// The parameter that chooses one of them; the first is the default.
  static Parameter parameter(List<Preset> presets) {
    return Parameter.choice(
        "as",
        presets.stream().map(Preset::name).toList(),
        presets.getFirst().name(),
        "whose rules to follow to the letter; see the sources");
  }

  /// `sources`, and a line for each of the presets that has one.
  static List<String> sources(List<Preset> presets, String... sources) {
    return Stream.concat(
            Stream.of(sources),
            presets.stream()
                .filter(preset -> !preset.source().isEmpty())
                .map(preset -> "`as=" + preset.name() + "`: " + preset.source()))
        .toList();
  }
}
