package dev.herdlab.lab.metrics;

import io.prometheus.metrics.model.registry.Collector;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.snapshots.Labels;
import io.prometheus.metrics.model.snapshots.MetricFamilyDescriptor;
import io.prometheus.metrics.model.snapshots.MetricSnapshot;
import io.prometheus.metrics.model.snapshots.UnknownSnapshot;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The series of an untyped metric, which Micrometer does not have. Owner thread: any.
final class UntypedCollector implements Collector, Series.Exposition {
  private final Declaration declaration;
  private final Map<List<String>, Series.Value> shown = new ConcurrentHashMap<>();

  private UntypedCollector(Declaration declaration) {
    this.declaration = declaration;
  }

  static UntypedCollector registered(Declaration declaration, PrometheusRegistry registry) {
    UntypedCollector collector = new UntypedCollector(declaration);
    registry.register(collector);
    return collector;
  }

  @Override
  public void show(List<String> labels, Series.Value value) {
    shown.put(labels, value);
  }

  @Override
  public void hide(List<String> labels) {
    shown.remove(labels);
  }

  @Override
  public MetricFamilyDescriptor getMetricFamilyDescriptor() {
    return MetricFamilyDescriptor.unknown(declaration.name())
        .help(declaration.description())
        .labelNames(declaration.labels())
        .build();
  }

  @Override
  public MetricSnapshot collect() {
    UnknownSnapshot.Builder snapshot =
        UnknownSnapshot.builder().name(declaration.name()).help(declaration.description());
    shown.forEach(
        (labels, value) ->
            snapshot.dataPoint(
                UnknownSnapshot.UnknownDataPointSnapshot.builder()
                    .labels(Labels.of(declaration.labels(), labels))
                    .value(value.now())
                    .build()));
    return snapshot.build();
  }
}
