package dev.herdlab.lab.metrics;

import io.prometheus.metrics.expositionformats.generated.Metrics;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// What one scrape over HTTP brought.
final class Scrape {
  private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
  private static final String OPEN_METRICS = "application/openmetrics-text; version=1.0.0";
  private static final String PROTOBUF =
      "application/vnd.google.protobuf;proto=io.prometheus.client.MetricFamily;encoding=delimited";

  private final String contentType;
  private final byte[] body;

  private Scrape(String contentType, byte[] body) {
    this.contentType = contentType;
    this.body = body;
  }

  static Scrape text(MetricsServer server) throws Exception {
    return of(server, "text/plain");
  }

  static Scrape openMetrics(MetricsServer server) throws Exception {
    return of(server, OPEN_METRICS);
  }

  static Scrape protobuf(MetricsServer server) throws Exception {
    return of(server, PROTOBUF);
  }

  private static Scrape of(MetricsServer server, String accept) throws Exception {
    try (HttpClient client = HttpClient.newHttpClient()) {
      HttpResponse<byte[]> response =
          client.send(
              HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + "/metrics"))
                  .header("Accept", accept)
                  .build(),
              HttpResponse.BodyHandlers.ofByteArray());
      if (response.statusCode() != 200) {
        throw new AssertionError(
            response.statusCode() + ": " + new String(response.body(), StandardCharsets.UTF_8));
      }
      return new Scrape(response.headers().firstValue("Content-Type").orElse(""), response.body());
    }
  }

  String contentType() {
    return contentType;
  }

  int bytes() {
    return body.length;
  }

  String asText() {
    return new String(body, StandardCharsets.UTF_8);
  }

  /// A series with its labels in the order of their names.
  static String normal(String series) {
    int brace = series.indexOf('{');
    if (brace < 0) {
      return series;
    }
    Map<String, String> labels = new TreeMap<>();
    Matcher matcher = LABEL.matcher(series.substring(brace));
    while (matcher.find()) {
      labels.put(matcher.group(1), matcher.group());
    }
    return series.substring(0, brace) + "{" + String.join(",", labels.values()) + "}";
  }

  /// The series of a text, each with its value; labels in the order of their names.
  Map<String, Double> series() {
    Map<String, Double> series = new TreeMap<>();
    asText()
        .lines()
        .filter(line -> !line.startsWith("#"))
        .forEach(
            line -> {
              int blank = line.lastIndexOf(' ');
              series.put(
                  normal(line.substring(0, blank)), Double.valueOf(line.substring(blank + 1)));
            });
    return series;
  }

  /// What `series` is; an error if it is not there.
  double value(String series) {
    Double value = series().get(normal(series));
    if (value == null) {
      throw new AssertionError(series + ": not in\n" + asText());
    }
    return value;
  }

  /// The metrics of a text: name and type.
  Map<String, String> types() {
    Map<String, String> types = new TreeMap<>();
    asText()
        .lines()
        .filter(line -> line.startsWith("# TYPE "))
        .map(line -> line.split(" ", -1))
        .forEach(words -> types.put(words[2], words[3]));
    return types;
  }

  /// The native histograms of a protobuf answer: how many observations each metric has in its
  /// native buckets, over all series; all of the schema that was asked for.
  @SuppressWarnings("NonCanonicalType") // the canonical package is named after a version
  Map<String, Long> nativeCounts() throws IOException {
    Map<String, Long> counts = new TreeMap<>();
    InputStream in = new ByteArrayInputStream(body);
    while (in.available() > 0) {
      Metrics.MetricFamily family = Metrics.MetricFamily.parseDelimitedFrom(in);
      for (Metrics.Metric metric : family.getMetricList()) {
        if (metric.hasHistogram() && metric.getHistogram().hasSchema()) {
          if (metric.getHistogram().getSchema() != 5) {
            throw new AssertionError(family.getName() + ": " + metric.getHistogram().getSchema());
          }
          counts.merge(family.getName(), count(metric.getHistogram()), Long::sum);
        }
      }
    }
    return counts;
  }

  // Buckets hold differences, each to the one before.
  @SuppressWarnings("NonCanonicalType") // as above
  private static long count(Metrics.Histogram histogram) {
    long count = histogram.getZeroCount();
    long bucket = 0;
    for (long difference : histogram.getPositiveDeltaList()) {
      bucket += difference;
      count += bucket;
    }
    return count;
  }
}
