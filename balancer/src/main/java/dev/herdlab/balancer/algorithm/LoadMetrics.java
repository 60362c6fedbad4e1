package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The load metrics that a spec may name by `metric=`, and their parameters. Owner thread: any
/// (immutable).
final class LoadMetrics {
  static final String IN_FLIGHT = "in-flight";
  static final String PEAK_EWMA = "peak-ewma";
  static final String LEAST_TIME = "least-time";
  static final String MEAN_LATENCY = "mean-latency";
  private static final String LATENCY_EWMA = "latency-ewma";
  private static final String REPORTED_IN_FLIGHT = "reported-in-flight";
  private static final String REPORTED_UTILISATION = "reported-utilisation";

  private static final Map<String, List<Parameter>> PARAMETERS = parametersByMetric();

  private LoadMetrics() {}

  private static Map<String, List<Parameter>> parametersByMetric() {
    Map<String, List<Parameter>> all = new LinkedHashMap<>();
    all.put(IN_FLIGHT, List.of());
    all.put(PEAK_EWMA, PeakEwma.PARAMETERS);
    all.put(LATENCY_EWMA, List.of(PeakEwma.PARAMETERS.getFirst()));
    all.put(LEAST_TIME, NginxTime.PARAMETERS);
    all.put(MEAN_LATENCY, MeanLatency.PARAMETERS);
    all.put(REPORTED_IN_FLIGHT, List.of());
    all.put(REPORTED_UTILISATION, List.of());
    return all;
  }

  /// `own` parameters of a selector, the choice of a metric, and all that metrics take.
  static List<Parameter> withParameters(Parameter... own) {
    Parameter metric =
        Parameter.choice(
            "metric",
            List.copyOf(PARAMETERS.keySet()),
            IN_FLIGHT,
            "what is compared; see the sources");
    List<Parameter> all = new ArrayList<>();
    Stream.of(Stream.of(own), Stream.of(metric), PARAMETERS.values().stream().flatMap(List::stream))
        .flatMap(stream -> stream)
        .filter(parameter -> all.stream().noneMatch(other -> other.name().equals(parameter.name())))
        .forEach(all::add);
    return all;
  }

  /// `others`, and where each metric comes from and what it is.
  static List<String> withSources(List<String> others) {
    return Stream.concat(
            others.stream(),
            Stream.of(
                "`metric=peak-ewma`: see the algorithm peak-ewma",
                "`metric=latency-ewma`: kubernetes/ingress-nginx `balancer/ewma.lua`, commit dbb11b9: an"
                    + " average of latencies that forgets with time, whatever is in flight; a newcomer has"
                    + " the mean of the others",
                "`metric=least-time`: nginx's, see the algorithm least-time; not divided by weights unless"
                    + " `weights=divided`",
                "`metric=mean-latency`: Traefik `leasttime.go`, commit fd5a576: the mean of the last"
                    + " `samples` latencies, times the requests in flight and this one",
                "`metric=reported-in-flight`, `metric=reported-utilisation`: what the backend's last load"
                    + " report said (ORCA, gRPC A51); 0 before the first"))
        .toList();
  }

  /// `others`, and how the metrics differ from their sources.
  static List<String> withDeviations(String... others) {
    return Stream.concat(
            Stream.of(others),
            Stream.of(
                "`metric=mean-latency`: a latency ends with the last byte; Traefik's with the first."))
        .toList();
  }

  /// The metric that the settings name.
  ///
  /// @throws IllegalArgumentException if a parameter was written that it does not take
  static LoadMetric create(Settings settings, BackendSet backends, View view, Ports ports) {
    String name = settings.choice("metric");
    refuseOthersParameters(settings, name);
    return switch (name) {
      case PEAK_EWMA -> PeakEwma.create(settings, backends, view, ports);
      case LATENCY_EWMA -> LatencyEwma.create(settings, backends, ports);
      case LEAST_TIME -> NginxTime.create(settings, backends, view, ports);
      case MEAN_LATENCY -> MeanLatency.create(settings, backends, view, ports);
      case REPORTED_IN_FLIGHT -> new Reported(backends, Reported.What.IN_FLIGHT);
      case REPORTED_UTILISATION -> new Reported(backends, Reported.What.UTILISATION);
      default -> new InFlight(view);
    };
  }

  /// What a selector with one of these metrics goes by.
  ///
  /// @param weighted products whose rules have weights
  static Algorithm.Regard regard(Parameters parameters, String... weighted) {
    if (Preset.isOneOf(parameters, weighted) || parameters.choice("weights").equals("divided")) {
      return Algorithm.Regard.WEIGHTS;
    }
    return switch (parameters.choice("metric")) {
      case LATENCY_EWMA, REPORTED_IN_FLIGHT, REPORTED_UTILISATION -> Algorithm.Regard.NOTHING;
      default -> Algorithm.Regard.LOADS;
    };
  }

  private static void refuseOthersParameters(Settings settings, String metric) {
    PARAMETERS.forEach(
        (other, parameters) -> {
          for (Parameter parameter : parameters) {
            boolean nginxs =
                parameter.equals(NginxTime.FAIL_TIMEOUT) && settings.as().equals("nginx");
            if (!nginxs && !PARAMETERS.getOrDefault(metric, List.of()).contains(parameter)) {
              settings.refuseGiven(parameter.name(), "metric=" + other + " with it");
            }
          }
        });
  }
}
