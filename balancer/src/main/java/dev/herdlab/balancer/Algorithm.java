package dev.herdlab.balancer;

import java.util.HashSet;
import java.util.List;
import java.util.Set;

/// A load-balancing algorithm, described: what it is called, what it takes, where it comes from,
/// and how to make one. Built-in ones stand in [Algorithms]; others are found in a jar by
/// `ServiceLoader`.
///
/// Owner thread: any (immutable).
public interface Algorithm {
  /// What the algorithm is.
  Description description();

  /// Makes a balancer. Called once with no backends when a spec is read, so that parameters that do
  /// not fit each other are refused there.
  ///
  /// @param parameters complete and checked, as declared in the description
  /// @param backends what may be picked
  /// @param view what it knows of the loads
  /// @param ports its doors to the host
  /// @throws IllegalArgumentException if the parameters do not fit each other or the backends, with
  ///     a message such as `d: 3 (expected: 2 with as=nginx)`
  LoadBalancer create(Parameters parameters, BackendSet backends, View view, Ports ports);

  /// What of a backend its picks go by, as far as a decorator may turn it down: see `slow-start`.
  ///
  /// @param parameters as for [#create]
  default Regard regard(Parameters parameters) {
    return Regard.NOTHING;
  }

  /// Requests in flight that its balancers leave on one backend at most, the rest waiting at the
  /// proxy.
  ///
  /// @param parameters as for [#create]
  default int limit(Parameters parameters) {
    return ConfiguredAlgorithm.NO_LIMIT;
  }

  /// What a balancer goes by.
  enum Regard {
    /// The set's weights, which may change at any time: half the weight is sent half as much.
    WEIGHTS,
    /// The view's requests in flight: a backend with more is sent less.
    LOADS,
    /// Neither, or not so.
    NOTHING
  }

  /// What an algorithm is, for people and for the parser. The texts are Markdown of one line.
  ///
  /// @param name as written in a spec: a-z, 0-9 and -
  /// @param summary what it does, in one or two sentences
  /// @param parameters what it takes
  /// @param cost of a pick in time and coins, e.g. `O(n), one draw`; n is the number of backends
  /// @param state what it remembers from pick to pick, and what becomes of that when the set
  ///     changes
  /// @param sources publications or programs that define it
  /// @param deviations one line for each difference from the sources
  record Description(
      String name,
      String summary,
      List<Parameter> parameters,
      String cost,
      String state,
      List<String> sources,
      List<String> deviations) {
    public Description {
      Spec.checkName("algorithm", name);
      parameters = List.copyOf(parameters);
      sources = List.copyOf(sources);
      deviations = List.copyOf(deviations);
      Set<String> names = new HashSet<>();
      for (Parameter parameter : parameters) {
        if (!names.add(parameter.name())) {
          throw new IllegalArgumentException(
              "algorithm " + name + ": parameter " + parameter.name() + " twice (expected: once)");
        }
      }
    }
  }
}
