package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Parameters;
import java.util.List;
import java.util.stream.Collectors;

/// An algorithm's parameters as they count: what was written, a product's rules where it was asked
/// for by `as=`, and the defaults. What was written against a product's rules is refused.
///
/// Owner thread: any (immutable).
final class Settings {
  private final Parameters parameters;
  private final Preset preset;

  private Settings(Parameters parameters, Preset preset) {
    this.parameters = parameters;
    this.preset = preset;
  }

  /// Of an algorithm without products' rules.
  static Settings of(Parameters parameters) {
    return new Settings(parameters, Preset.none());
  }

  /// @param presets what `as` may name
  /// @throws IllegalArgumentException if a parameter was written that contradicts them
  static Settings of(Parameters parameters, List<Preset> presets) {
    String as = parameters.choice("as");
    Preset preset = presets.stream().filter(one -> one.name().equals(as)).findFirst().orElseThrow();
    Settings settings = new Settings(parameters, preset);
    preset
        .rules()
        .forEach(
            (name, demanded) -> {
              if (demanded.equals(Preset.OWN)) {
                settings.refuseGiven(name, whoUses(name, presets, as));
              } else if (!same(parameters.given(name).orElse(demanded), demanded)) {
                throw settings.refusal(name, demanded + " with as=" + as);
              }
            });
    return settings;
  }

  /// Whether two texts mean the same: words, or numbers as they may be written.
  private static boolean same(String given, String demanded) {
    return given.equals(demanded)
        || (Character.isDigit(demanded.charAt(0))
            && Double.parseDouble(given) == Double.parseDouble(demanded));
  }

  private static String whoUses(String name, List<Preset> presets, String as) {
    String others =
        presets.stream()
            .filter(preset -> !preset.rules().containsKey(name))
            .map(Preset::name)
            .collect(Collectors.joining(" or "));
    return as.equals("none") ? "as=" + others + " with it" : "no " + name + " with as=" + as;
  }

  /// Whose rules count; `none` if nobody's in particular.
  String as() {
    return preset.name();
  }

  boolean isGiven(String name) {
    return parameters.given(name).isPresent();
  }

  /// Refuses a parameter that was written, since it has no meaning beside the others.
  void refuseGiven(String name, String expected) {
    if (isGiven(name)) {
      throw refusal(name, expected);
    }
  }

  /// The refusal of what was written for `name`.
  IllegalArgumentException refusal(String name, String expected) {
    return new IllegalArgumentException(
        "%s: %s (expected: %s)".formatted(name, parameters.given(name).orElse(""), expected));
  }

  String choice(String name) {
    String demanded = preset.rules().getOrDefault(name, Preset.OWN);
    return demanded.equals(Preset.OWN) ? parameters.choice(name) : demanded;
  }

  boolean toggle(String name) {
    return choice(name).equals("true");
  }

  int whole(String name) {
    String demanded = preset.rules().getOrDefault(name, Preset.OWN);
    return demanded.equals(Preset.OWN) ? parameters.whole(name) : Integer.parseInt(demanded);
  }

  double decimal(String name) {
    String demanded = preset.rules().getOrDefault(name, Preset.OWN);
    return demanded.equals(Preset.OWN) ? parameters.decimal(name) : Double.parseDouble(demanded);
  }

  long nanos(String name) {
    return parameters.nanos(name);
  }
}
