package dev.herdlab.balancer;

import java.util.List;

/// A load-balancing algorithm, described: what it is called, what it takes, where it comes from, and how to
/// make one. Built-in ones stand in [Algorithms]; others are found in a jar by `ServiceLoader`.
///
/// Owner thread: any (immutable).
public interface Algorithm {
  /// What the algorithm is.
  Description description();

  /// Makes a balancer.
  ///
  /// @param parameters complete and checked, as declared in the description
  /// @param backends what may be picked
  /// @param view what it knows of the loads
  /// @param ports its doors to the host
  LoadBalancer create(Parameters parameters, BackendSet backends, View view, Ports ports);

  /// What an algorithm is, for people and for the parser.
  ///
  /// @param name as written in a spec: a-z, 0-9 and -
  /// @param summary what it does, in one or two sentences
  /// @param parameters what it takes
  /// @param cost of a pick, e.g. `O(n)`
  /// @param sources publications or programs that define it
  record Description(
      String name, String summary, List<Parameter> parameters, String cost, List<String> sources) {
    public Description {
      parameters = List.copyOf(parameters);
      sources = List.copyOf(sources);
    }
  }
}
