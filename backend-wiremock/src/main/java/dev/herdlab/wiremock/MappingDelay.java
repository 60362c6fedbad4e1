package dev.herdlab.wiremock;

import com.fasterxml.jackson.databind.JsonNode;
import com.github.tomakehurst.wiremock.common.Json;
import com.github.tomakehurst.wiremock.global.GlobalSettings;
import com.github.tomakehurst.wiremock.http.ChunkedDribbleDelay;
import com.github.tomakehurst.wiremock.http.DelayDistribution;
import com.github.tomakehurst.wiremock.http.Response;
import com.github.tomakehurst.wiremock.http.ResponseDefinition;
import dev.herdlab.stub.ServiceDraw;
import dev.herdlab.workload.RandomStream;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The delay that a mapping asks for, as a service time: WireMock's fixed delay, plus a sample of
/// its distribution, plus the length of its chunked dribble.
///
/// Samples are in nanoseconds from the backend's own stream, where WireMock's are whole
/// milliseconds and differ in each run. Owner thread: any (immutable).
///
/// @param fixedNanos what each request takes at least
/// @param random what is drawn on top
record MappingDelay(long fixedNanos, ServiceDraw random) implements ServiceDraw {
  private static final double NANOS_PER_MILLI = 1e6;
  // As WireMock does: then it takes the maximum.
  private static final int RESAMPLES = 10;
  private static final ServiceDraw NOTHING = random -> 0;

  @Override
  public long nanos(RandomStream stream) {
    return fixedNanos + random.nanos(stream);
  }

  /// The delay of a response, if its mapping or the global settings ask for one.
  static Optional<ServiceDraw> of(
      ResponseDefinition definition, GlobalSettings global, Response response) {
    Integer fixedMillis = definition.getFixedDelayMilliseconds();
    Integer globalMillis = global.getFixedDelay();
    DelayDistribution distribution =
        definition.getDelayDistribution() != null
            ? definition.getDelayDistribution()
            : global.getDelayDistribution();
    double dribbleMillis = dribbleMillis(response.getChunkedDribbleDelay());
    if (distribution != null) {
      double millis = fixedMillis != null ? fixedMillis : globalMillis != null ? globalMillis : 0;
      return Optional.of(new MappingDelay(nanos(millis + dribbleMillis), draw(distribution)));
    }
    // Without a distribution it is known to the millisecond, with what extensions have added.
    boolean asked =
        fixedMillis != null
            || globalMillis != null
            || response.getInitialDelay() > 0
            || dribbleMillis > 0;
    return asked
        ? Optional.of(new MappingDelay(nanos(response.getInitialDelay() + dribbleMillis), NOTHING))
        : Optional.empty();
  }

  private static double dribbleMillis(@Nullable ChunkedDribbleDelay dribble) {
    return dribble == null || dribble.getTotalDuration() == null ? 0 : dribble.getTotalDuration();
  }

  private static long nanos(double millis) {
    return Math.round(millis * NANOS_PER_MILLI);
  }

  // The parameters are to be had as JSON alone.
  private static ServiceDraw draw(DelayDistribution distribution) {
    JsonNode node = Json.getObjectMapper().valueToTree(distribution);
    return switch (node.path("type").asText()) {
      case "lognormal" ->
          new Lognormal(
              node.path("median").asDouble(),
              node.path("sigma").asDouble(),
              node.path("maxValue").asDouble(Double.POSITIVE_INFINITY));
      case "uniform" -> new Uniform(node.path("lower").asDouble(), node.path("upper").asDouble());
      default -> {
        long nanos = nanos((double) distribution.sampleMillis());
        yield random -> nanos;
      }
    };
  }

  /// Exp of a normal; beyond its maximum drawn again, as WireMock does.
  record Lognormal(double medianMillis, double sigma, double maxMillis) implements ServiceDraw {
    @Override
    public long nanos(RandomStream stream) {
      double millis = sample(stream);
      for (int i = 0; i < RESAMPLES && millis > maxMillis; i++) {
        millis = sample(stream);
      }
      return MappingDelay.nanos(Math.min(maxMillis, millis));
    }

    private double sample(RandomStream stream) {
      return medianMillis * StrictMath.exp(sigma * stream.normal());
    }
  }

  /// Uniform between its bounds.
  record Uniform(double lowerMillis, double upperMillis) implements ServiceDraw {
    @Override
    public long nanos(RandomStream stream) {
      return MappingDelay.nanos(lowerMillis + stream.unit() * (upperMillis - lowerMillis));
    }
  }
}
