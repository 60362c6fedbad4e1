package dev.herdlab.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Optional;

/// What every component's process says of itself. Owner thread: any (immutable).
///
/// @param incarnation differs with each start of the process
/// @param scheduling how its loop is scheduled
/// @param gcNanos the collector's pauses since the start, summed
/// @param cpuNanos CPU time since the start
/// @param stallNanos the longest stall since the last `POST /collect`
/// @param loopFailure the first error that a task threw on its loop
public record ProcessState(
    String incarnation,
    String scheduling,
    long gcNanos,
    long cpuNanos,
    long stallNanos,
    Optional<String> loopFailure) {
  /// Of an answer of `GET /state` or `POST /collect`.
  static ProcessState of(JsonNode state) {
    return new ProcessState(
        state.path("incarnation").asText(),
        state.path("scheduling").asText(),
        state.path("gc_ns").asLong(),
        state.path("cpu_ns").asLong(),
        state.path("stall_ns").asLong(),
        Optional.ofNullable(state.get("loop_failure")).map(JsonNode::asText));
  }
}
