package dev.herdlab.lab.run;

import dev.herdlab.lab.admin.AdminAnswer;
import dev.herdlab.lab.admin.AdminException;
import dev.herdlab.lab.admin.AdminRequest;
import dev.herdlab.lab.admin.AdminResources;
import dev.herdlab.lab.metrics.GeneratorMetrics;
import dev.herdlab.loadgen.CompletedRun;
import dev.herdlab.loadgen.Generator;
import dev.herdlab.loadgen.Progress;
import dev.herdlab.workload.RunLog;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;

/// The runs that a generator's process keeps, by id: those to come, those under way, and those that
/// are over and whose requests have not been forgotten. When one more comes than are kept, the
/// oldest that is over goes.
///
/// Cost: what the generator keeps of each request. Owner thread: any.
final class GeneratorRuns {
  private static final int KEPT = Generator.MAX_RUNS;
  private static final int MAX_TEXT_CHARS = 200;

  /// Ten million requests, compressed.
  private static final int TRACE_BYTES = 256 << 20;

  private final Generator generator;
  private final Optional<GeneratorMetrics> metrics;
  private final Map<String, Kept> runs = new LinkedHashMap<>();

  /// @param metrics hears what each run is for
  GeneratorRuns(Generator generator, Optional<GeneratorMetrics> metrics) {
    this.generator = generator;
    this.metrics = metrics;
  }

  /// What a run is part of, for metrics. Owner thread: any (immutable).
  record Labels(String phase, String algorithm, String view) {}

  /// One run. Owner thread: any.
  private static final class Kept {
    private final String id;
    private final Labels labels;
    private final long epochNanos;
    private final int total;
    private volatile int sent;
    private volatile int ended;
    private volatile CompletableFuture<CompletedRun> end = new CompletableFuture<>();

    Kept(String id, Labels labels, long epochNanos, int total) {
      this.id = id;
      this.labels = labels;
      this.epochNanos = epochNanos;
      this.total = total;
    }

    boolean isOver() {
      return end.isDone();
    }

    Progress progress() {
      return (sentNow, endedNow, _) -> {
        sent = sentNow;
        ended = endedNow;
      };
    }

    Map<String, Object> fields() {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("id", id);
      fields.put("phase", labels.phase());
      fields.put("algorithm", labels.algorithm());
      fields.put("view", labels.view());
      CompletedRun run = end.state() == CompletableFuture.State.SUCCESS ? end.join() : null;
      fields.put("epoch_ns", run == null ? epochNanos : run.epochNanos());
      fields.put("sent", run == null ? sent : run.log().entries().size());
      fields.put("ended", run == null ? ended : run.log().entries().size());
      fields.put("total", total);
      fields.put("over", isOver());
      fields.put("opened", run == null ? 0 : run.opened());
      return fields;
    }
  }

  void addTo(AdminResources resources) {
    resources
        .on("GET", "/runs", request -> AdminAnswer.json(Map.of("runs", fields())))
        .on("POST", "/runs", TRACE_BYTES, this::post)
        .on("GET", "/runs/{id}", request -> AdminAnswer.json(find(request).fields()))
        .on("DELETE", "/runs/{id}", this::delete)
        .on("GET", "/runs/{id}/requests", this::requests);
  }

  /// What is kept, the oldest first.
  synchronized List<Map<String, Object>> fields() {
    return runs.values().stream().map(Kept::fields).toList();
  }

  private AdminAnswer post(AdminRequest request) throws IOException {
    String id = label(request.parameter("id"), "id");
    if (!id.matches("[A-Za-z0-9._~-]+")) {
      throw new IllegalArgumentException("id: " + id + " (expected: letters, digits, . _ ~ -)");
    }
    Labels labels =
        new Labels(
            label(request.find("phase").orElse(""), "phase"),
            label(request.find("algorithm").orElse(""), "algorithm"),
            label(request.find("view").orElse(""), "view"));
    long epochNanos = request.wholeParameter("epoch_ns");
    Trace trace = CsvBytes.trace(request.body());
    return AdminAnswer.json(202, begin(new Kept(id, labels, epochNanos, trace.size()), trace));
  }

  private static String label(String text, String name) {
    if (text.length() > MAX_TEXT_CHARS) {
      throw new IllegalArgumentException(
          name + ": longer (expected: at most " + MAX_TEXT_CHARS + " characters)");
    }
    return text;
  }

  private synchronized Map<String, Object> begin(Kept run, Trace trace) {
    if (runs.containsKey(run.id)) {
      throw AdminException.conflict("id: " + run.id + " (expected: one that no kept run has)");
    }
    makeRoom();
    if (!run.labels.algorithm().isEmpty()) {
      metrics.ifPresent(one -> one.label(run.id, run.labels.algorithm(), run.labels.view()));
    }
    try {
      run.end = generator.run(run.id, trace, run.epochNanos, run.progress());
    } catch (IllegalStateException e) {
      throw AdminException.conflict(String.valueOf(e.getMessage()));
    }
    runs.put(run.id, run);
    return run.fields();
  }

  private void makeRoom() {
    if (runs.size() < KEPT) {
      return;
    }
    Kept oldest =
        runs.values().stream()
            .filter(Kept::isOver)
            .findFirst()
            .orElseThrow(
                () ->
                    AdminException.conflict(
                        "runs: "
                            + runs.size()
                            + " are not over (expected: fewer than "
                            + KEPT
                            + ")"));
    runs.remove(oldest.id);
  }

  private synchronized Kept find(AdminRequest request) {
    Kept run = runs.get(request.part("id"));
    if (run == null) {
      throw AdminException.notFound(
          "run: " + request.part("id") + " (expected: one of " + runs.keySet() + ")");
    }
    return run;
  }

  private AdminAnswer delete(AdminRequest request) {
    Kept run = find(request);
    if (run.isOver()) {
      synchronized (this) {
        runs.remove(run.id);
      }
    } else {
      generator.stop(run.id);
    }
    return AdminAnswer.json(run.fields());
  }

  private AdminAnswer requests(AdminRequest request) throws IOException, InterruptedException {
    Kept run = find(request);
    if (!run.isOver()) {
      throw AdminException.conflict("run: " + run.id + " is under way (expected: over)");
    }
    try {
      CompletedRun completed = run.end.get();
      RunLog log = completed.log();
      return AdminAnswer.bytes("application/gzip", CsvBytes.of(completed.trace(), log), Map.of());
    } catch (ExecutionException e) {
      throw new IOException("run: " + run.id + ": " + e.getCause(), e);
    }
  }
}
