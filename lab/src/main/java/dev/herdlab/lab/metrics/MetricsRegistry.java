package dev.herdlab.lab.metrics;

import io.micrometer.core.instrument.Clock;
import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.config.NamingConvention;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.prometheus.metrics.model.registry.PrometheusScrapeRequest;
import io.prometheus.metrics.model.snapshots.MetricSnapshots;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// The metrics of one process, and what brings them up to date before each scrape.
///
/// Counters and gauges are Micrometer's; distributions are native histograms of the Prometheus
/// client on the same registry, since Micrometer's own buckets are too coarse. All writing is done
/// by one thread at a time, inside [#update]: the metrics thread, or the scrape that finds it idle.
/// Owner thread: any.
public final class MetricsRegistry {
  // Growth of a bucket: 2^(1/32), 2.2 %; 400 of them span 12.5 octaves before they get coarser.
  private static final int NATIVE_SCHEMA = 5;
  private static final int NATIVE_BUCKETS = 400;

  private final FreshRegistry prometheus = new FreshRegistry();
  private final PrometheusMeterRegistry meters =
      new PrometheusMeterRegistry(PrometheusConfig.DEFAULT, prometheus, Clock.SYSTEM);
  private final List<Runnable> refreshers = new ArrayList<>();
  private final List<LoopFeed> feeds = new ArrayList<>();
  // Micrometer reads numbers through weak references: what nobody held would be shown as NaN.
  private final List<Series> held = new ArrayList<>();

  /// A registry without metrics.
  public MetricsRegistry() {
    // Names are declared as Prometheus stores them.
    meters.config().namingConvention(NamingConvention.identity);
  }

  /// Brought up to date by each scrape. The client has no seam for that but the registry itself.
  private final class FreshRegistry extends PrometheusRegistry {
    @Override
    public MetricSnapshots scrape(@Nullable PrometheusScrapeRequest request) {
      refresh();
      return super.scrape(request);
    }

    @Override
    public MetricSnapshots scrape(
        Predicate<String> names, @Nullable PrometheusScrapeRequest request) {
      refresh();
      return super.scrape(names, request);
    }
  }

  PrometheusRegistry prometheus() {
    return prometheus;
  }

  /// Has `refresher` called, within [#update], before each scrape.
  void beforeScrape(Runnable refresher) {
    update(() -> refreshers.add(refresher));
  }

  void addFeed(LoopFeed feed) {
    update(() -> feeds.add(feed));
  }

  /// Events that were dropped on their way here. Within [#update].
  long lost() {
    return feeds.stream().mapToLong(LoopFeed::lost).sum();
  }

  /// Changes metrics: nobody else does meanwhile.
  synchronized void update(Runnable change) {
    change.run();
  }

  private void refresh() {
    update(() -> refreshers.forEach(Runnable::run));
  }

  /// A counter, a gauge or an untyped metric without series yet.
  Series series(Declaration declaration) {
    Series.Exposition exposition =
        switch (declaration.kind()) {
          case COUNTER, GAUGE -> new Meters(declaration);
          case UNTYPED -> UntypedCollector.registered(declaration, prometheus);
          case HISTOGRAM ->
              throw new IllegalArgumentException("kind: HISTOGRAM (expected: others)");
        };
    Series series = new Series(declaration, exposition);
    update(() -> held.add(series));
    return series;
  }

  /// A distribution in seconds.
  ///
  /// @param buckets the classic ones, beside the native
  Histogram histogram(Declaration declaration, Buckets buckets) {
    return Histogram.builder()
        .name(declaration.name())
        .help(declaration.description())
        .labelNames(declaration.labels().toArray(String[]::new))
        .nativeInitialSchema(NATIVE_SCHEMA)
        .nativeMaxNumberOfBuckets(NATIVE_BUCKETS)
        .classicUpperBounds(buckets.seconds())
        .withoutExemplars()
        .register(prometheus);
  }

  /// Series as Micrometer's meters.
  private final class Meters implements Series.Exposition {
    private final Declaration declaration;
    private final Map<List<String>, Meter> shown = new HashMap<>();

    Meters(Declaration declaration) {
      this.declaration = declaration;
    }

    @Override
    public void show(List<String> labels, Series.Value value) {
      List<Tag> tags = new ArrayList<>();
      for (int i = 0; i < labels.size(); i++) {
        tags.add(Tag.of(declaration.labels().get(i), labels.get(i)));
      }
      shown.put(labels, register(tags, value));
    }

    private Meter register(List<Tag> tags, Series.Value value) {
      if (declaration.kind() == Declaration.Kind.COUNTER) {
        return FunctionCounter.builder(declaration.name(), value, Series.Value::now)
            .description(declaration.description())
            .baseUnit(declaration.unit())
            .tags(tags)
            .register(meters);
      }
      return Gauge.builder(declaration.name(), value, Series.Value::now)
          .description(declaration.description())
          .baseUnit(declaration.unit())
          .tags(tags)
          .register(meters);
    }

    @Override
    public void hide(List<String> labels) {
      Meter meter = shown.remove(labels);
      if (meter != null) {
        meters.remove(meter);
      }
    }
  }
}
