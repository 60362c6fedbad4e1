package dev.herdlab.lab.config;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An experiment, loaded and checked: its cells in the order of running, and what holds for all of
/// them.
///
/// Owner thread: any (immutable).
///
/// @param name names the folder of results
/// @param description what it shows; may be empty
/// @param complaint what users complained of, and where; may be empty
/// @param cells what is run, without repetition
/// @param modelRequests requests in each long run of the model; 0 for none
/// @param modelSeeds number of those runs
/// @param burnInNanos load before the first clock starts
/// @param twinSeeds coin seeds of the twin, 20 or more
/// @param attempts how often a cell is measured at most
/// @param phaseNanos length of a cell when a running system is conducted
/// @param layout where the components of a measured run are
/// @param priority of their loops' threads
/// @param trace written requests to replay instead of drawing some
/// @param plugins jars of algorithms
/// @param thresholds rules for every cell
/// @param algorithms every algorithm that a spec may name, plug-ins included
/// @param warnings lines for stderr
public record Experiment(
    String name,
    String description,
    String complaint,
    List<CellPlan> cells,
    int modelRequests,
    int modelSeeds,
    long burnInNanos,
    int twinSeeds,
    int attempts,
    long phaseNanos,
    RunOptions.Layout layout,
    RunOptions.Priority priority,
    Optional<TraceSource> trace,
    List<Path> plugins,
    List<Threshold> thresholds,
    Algorithms algorithms,
    List<String> warnings) {
  public Experiment {
    cells = List.copyOf(cells);
    plugins = List.copyOf(plugins);
    thresholds = List.copyOf(thresholds);
    warnings = List.copyOf(warnings);
  }

  /// Loads a file with what overrides it. Takes no time that a person would notice; runs nothing.
  ///
  /// @param file YAML; empty for the defaults alone
  /// @param sets `key=value`, each
  /// @param environment of the process
  /// @throws ConfigException with one line for the first thing that is wrong
  public static Experiment load(
      Optional<Path> file, List<String> sets, Map<String, String> environment) {
    return load(Sources.read(file, sets, environment), KeyTable.of());
  }

  /// Loads what was written, which may have keys beside those of an experiment.
  ///
  /// @param beside keys that a `--set` may name too; their values are the caller's affair
  /// @throws ConfigException with one line for the first thing that is wrong
  public static Experiment load(Sources sources, KeyTable beside) {
    return ExperimentLoader.load(sources, beside);
  }

  /// The same with one of its cells alone.
  ///
  /// @param index its place, from 0
  public Experiment withCell(int index) {
    return new Experiment(
        name,
        description,
        complaint,
        List.of(cells.get(index)),
        modelRequests,
        modelSeeds,
        burnInNanos,
        twinSeeds,
        attempts,
        phaseNanos,
        layout,
        priority,
        trace,
        plugins,
        thresholds,
        algorithms,
        warnings);
  }

  /// The requests of a cell: those that were written, if there are any, else drawn by its seed.
  /// Cost: about 100 ns a request, or a reading of the file.
  ///
  /// @throws ConfigException if the file has been taken away or changed since it was checked
  public Trace trace(Cell cell) {
    if (trace.isEmpty()) {
      return cell.trace();
    }
    try {
      return trace.get().read().withProxies(cell.plan().proxies());
    } catch (IOException | IllegalArgumentException e) {
      throw new ConfigException("trace " + trace.get() + ": " + e.getMessage());
    }
  }

  /// The same as YAML, every default written out: loading it gives the same experiment.
  public String toYaml() {
    return ExperimentWriter.yaml(this);
  }
}
