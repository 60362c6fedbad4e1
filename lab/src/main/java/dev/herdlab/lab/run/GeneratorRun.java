package dev.herdlab.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.lab.admin.AdminClient;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;

/// One run of one generator, from afar. Owner thread: any (immutable).
///
/// @param generator where it is
/// @param id what it is called there
public record GeneratorRun(FleetMember generator, String id) {
  /// What a run is part of, for metrics. Owner thread: any (immutable).
  public record Labels(String phase, String algorithm, String view) {}

  /// How far a run is. Owner thread: any (immutable).
  ///
  /// @param sent requests whose turn has come
  /// @param ended how many of them have ended, well or not
  /// @param total requests of the trace
  /// @param over whether all is done
  /// @param opened connections that it had to open, since it found too few
  public record Progress(int sent, int ended, int total, boolean over, int opened) {}

  /// What came of a run. Owner thread: any (immutable).
  ///
  /// @param trace as really intended: rates may have been changed; of what was sent
  /// @param run instants count from the run's epoch
  public record Result(Trace trace, RunLog run) {}

  /// Hands the trace over, to begin at an instant of this process's clock.
  public void begin(Trace trace, long epochNanos, Labels labels)
      throws IOException, InterruptedException {
    String query =
        "?id=%s&epoch_ns=%d&phase=%s&algorithm=%s&view=%s"
            .formatted(
                encoded(id),
                generator.clock().there(epochNanos),
                encoded(labels.phase()),
                encoded(labels.algorithm()),
                encoded(labels.view()));
    var _ = admin().post("/runs" + query, CsvBytes.of(trace));
  }

  private AdminClient admin() {
    return generator.admin();
  }

  private static String encoded(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8);
  }

  private String path() {
    return "/runs/" + encoded(id);
  }

  /// How far it is.
  public Progress progress() throws IOException, InterruptedException {
    JsonNode state = admin().get(path());
    return new Progress(
        state.path("sent").asInt(),
        state.path("ended").asInt(),
        state.path("total").asInt(),
        state.path("over").asBoolean(),
        state.path("opened").asInt());
  }

  /// What came of it, once it is over.
  public Result result() throws IOException, InterruptedException {
    return CsvBytes.result(admin().download(path() + "/requests").body());
  }

  /// Ends it early, or has it forgotten once it is over.
  public void delete() throws IOException, InterruptedException {
    var _ = admin().delete(path());
  }
}
