package dev.herdlab.lab.conduct;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.RunListener;
import dev.herdlab.lab.config.Serving;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.run.DiscoveredPlaces;
import dev.herdlab.lab.run.Fleet;
import dev.herdlab.simulator.Quantiles;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The body of `herdlab conduct`: an experiment's cells as phases of a running system.
///
/// Owner thread: the caller's.
public final class Conduct {
  private Conduct() {}

  /// Conducts until the program ends or the user asks to stop; what was finished is kept.
  ///
  /// @param settings of [ConductKeys#ALL]
  /// @param out what holds the cycles' folders; empty for `results/<name>`
  /// @param ready hears, once, where the page and the metrics are
  /// @throws ConfigException if what was asked for is not to be had, in one line
  public static RunDocument conduct(
      Experiment experiment,
      Settings settings,
      Optional<Path> out,
      RunListener listener,
      Consumer<String> ready) {
    check(experiment);
    Program program = new Program(experiment.cells(), settings.get(ConductKeys.CYCLES));
    Status status =
        new Status(
            experiment.name(),
            program,
            experiment.algorithms().all().stream()
                .map(Algorithm::description)
                .map(Algorithm.Description::name)
                .toList(),
            System::nanoTime);
    Path folder = out.orElse(Path.of("results", experiment.name()));
    try (Cycles cycles =
            new Cycles(experiment, folder, settings.get(ConductKeys.KEEP), listener::notKept);
        Doors doors = Doors.open(experiment, settings, program, status);
        Fleet fleet = fleet(settings)) {
      cycles.open();
      ready.accept(doors.describe());
      PhaseListener phases = new Everyone(List.of(status, doors.measures()));
      Predictions predictions =
          new Predictions(experiment.modelRequests(), experiment.modelSeeds());
      try (Analyst analyst =
          new Analyst(
              experiment,
              fleet,
              predictions,
              listener,
              kept -> {
                cycles.keep(kept);
                phases.finished(kept.finished());
                listener.note(line(kept.finished()));
              })) {
        new Conductor(experiment, fleet, program, analyst, phases, listener)
            .play(settings.get(ConductKeys.START_TIMEOUT));
      }
      return cycles.document();
    } catch (IOException e) {
      throw new ConfigException(String.valueOf(e.getMessage()));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConfigException("interrupted");
    }
  }

  private static void check(Experiment experiment) {
    for (CellPlan cell : experiment.cells()) {
      if (ViewSpec.parse(cell.view(), cell.unitNanos()) instanceof ViewSpec.Shared) {
        throw ConfigException.at(
            "view",
            cell.view() + " on a running system",
            "local or shared-stale(refresh=R); shared is an oracle of one process with one loop");
      }
    }
    for (CellPlan cell : experiment.cells()) {
      if (!cell.serving().equals(Serving.PLAIN)) {
        throw ConfigException.at(
            "discipline, servers, queue, timeout, retries or hedge",
            "given",
            "their defaults; a running system serves as its own components were told");
      }
    }
    if (experiment.trace().isPresent()) {
      throw ConfigException.at("trace", "given", "none; a phase draws its requests");
    }
    if (experiment.phaseNanos() < Conductor.SHORTEST_PHASE_NANOS) {
      throw ConfigException.at(
          "phase",
          experiment.phaseNanos() / 1_000_000 + "ms",
          "at least " + Conductor.SHORTEST_PHASE_NANOS / 1_000_000_000 + "s");
    }
  }

  private static Fleet fleet(Settings settings) {
    return new Fleet(
        new Fleet.Places(
            settings.list(ConductKeys.FLEET_PROXIES),
            settings.list(ConductKeys.FLEET_BACKENDS),
            settings.list(ConductKeys.FLEET_GENERATORS)),
        DiscoveredPlaces.of(settings.get(ConductKeys.DNS)));
  }

  private static String line(Finished phase) {
    String what =
        "phase %d, %s, %s: "
            .formatted(
                phase.step().number(),
                phase.result().plan().algorithm(),
                phase.result().plan().view());
    Optional<Quantiles> measured = phase.result().comparison().map(c -> c.measured());
    Optional<Quantiles> replay = phase.result().comparison().map(c -> c.replay());
    String numbers =
        measured.isEmpty()
            ? "nothing measured"
            : "p50 %.2f, p95 %.2f, p99 %.2f units, replay %.2f, %.2f, %.2f"
                .formatted(
                    measured.get().p50(),
                    measured.get().p95(),
                    measured.get().p99(),
                    replay.get().p50(),
                    replay.get().p95(),
                    replay.get().p99());
    String verdict =
        phase.valid()
            ? "; valid"
            : "; not valid: "
                + phase.result().verdict().map(v -> v.reasons().getFirst()).orElse("unknown");
    return what + numbers + verdict;
  }
}
