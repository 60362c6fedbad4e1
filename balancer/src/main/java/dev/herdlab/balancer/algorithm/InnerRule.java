package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.Ports;
import java.util.List;

/// The rules by which algorithms that narrow the choice pick within what they leave: the parameter
/// `inner`. Each is the algorithm of that name with its defaults, by requests in flight.
///
/// Owner thread: any (no state).
final class InnerRule {
  static final String P2C = "p2c";
  static final String LEAST_CONN = "least-conn";
  static final String RANDOM = "random";
  static final String ROUND_ROBIN = "round-robin";

  private InnerRule() {}

  /// @param words those that make sense, the default first
  static Parameter parameter(String doc, String... words) {
    return Parameter.choice("inner", List.of(words), words[0], doc);
  }

  static Algorithm.Regard regard(Parameters parameters) {
    return switch (parameters.choice("inner")) {
      case RANDOM, ROUND_ROBIN -> Algorithm.Regard.NOTHING;
      default -> Algorithm.Regard.LOADS;
    };
  }

  static Selector of(Settings settings, Ports.RandomSource random) {
    return switch (settings.choice("inner")) {
      case LEAST_CONN -> new FullScan(FullScan.Ties.RANDOM, random);
      case RANDOM -> (metric, size) -> random.below(size);
      case ROUND_ROBIN -> new InTurn();
      default ->
          new PowerOfChoices(
              2, PowerOfChoices.Draws.REPLACEMENT, PowerOfChoices.Ties.FIRST, random);
    };
  }
}
