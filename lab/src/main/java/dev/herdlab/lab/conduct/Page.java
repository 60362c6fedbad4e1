package dev.herdlab.lab.conduct;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.lab.admin.AdminAnswer;
import dev.herdlab.lab.admin.AdminRequest;
import dev.herdlab.lab.admin.AdminResources;
import dev.herdlab.lab.admin.JsonFields;
import java.io.IOException;
import java.io.InputStream;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;

/// The live page: what is played, and the knobs for what comes next. Owner thread: any.
final class Page {
  private final Program program;
  private final Status status;
  private final Algorithms algorithms;
  private final long unitNanos;

  Page(Program program, Status status, Algorithms algorithms, long unitNanos) {
    this.program = program;
    this.status = status;
    this.algorithms = algorithms;
    this.unitNanos = unitNanos;
  }

  /// `GET /`, `GET /state`, `GET /health`, `PUT /next`.
  AdminResources resources() {
    return new AdminResources()
        .on("GET", "/", request -> html())
        .on("GET", "/state", request -> AdminAnswer.json(status.json()))
        .on("GET", "/health", request -> AdminAnswer.json(Map.of("status", "ok")))
        .on("PUT", "/next", this::next);
  }

  private static AdminAnswer html() throws IOException {
    try (InputStream page = Page.class.getResourceAsStream("page.html")) {
      if (page == null) {
        throw new IllegalStateException("page.html is missing");
      }
      return AdminAnswer.bytes("text/html; charset=utf-8", page.readAllBytes(), Map.of());
    }
  }

  /// `{"algorithm"?, "view"?, "rho"?, "hold"?}` for another next phase, `{"release": true}` for the
  /// tour again.
  private AdminAnswer next(AdminRequest request) {
    JsonFields fields = request.json().only("algorithm", "view", "rho", "hold", "release");
    if (fields.flag("release")) {
      program.release();
      return AdminAnswer.json(Map.of("said", "The tour goes on after this phase."));
    }
    Optional<String> algorithm = fields.findText("algorithm");
    Optional<String> view = fields.findText("view");
    algorithm
        .map(text -> algorithms.parse(text, unitNanos))
        .ifPresent(asked -> status.backends().ifPresent(asked::tryOn));
    view.ifPresent(this::checkView);
    OptionalDouble rho =
        fields.has("rho") ? OptionalDouble.of(fields.positive("rho")) : OptionalDouble.empty();
    if (rho.isPresent() && rho.getAsDouble() > Conductor.HIGHEST_RHO) {
      throw new IllegalArgumentException(
          "rho: %s (expected: at most %s)".formatted(rho.getAsDouble(), Conductor.HIGHEST_RHO));
    }
    if (algorithm.isEmpty() && view.isEmpty() && rho.isEmpty()) {
      throw new IllegalArgumentException(
          "body: nothing to change (expected: algorithm, view or rho)");
    }
    boolean hold = fields.flag("hold");
    program.ask(new Program.Wish(algorithm, view, rho), hold);
    return AdminAnswer.json(
        Map.of("said", hold ? "Held from the next phase on." : "Played as the next phase."));
  }

  private void checkView(String text) {
    if (ViewSpec.parse(text, unitNanos) instanceof ViewSpec.Shared) {
      throw new IllegalArgumentException(
          "view: shared (expected: local or shared-stale(refresh=R); shared is an oracle of one"
              + " process)");
    }
  }
}
