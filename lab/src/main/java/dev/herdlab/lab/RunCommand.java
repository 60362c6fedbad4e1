package dev.herdlab.lab;

import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.ExperimentKeys;
import dev.herdlab.lab.config.KeyHelp;
import dev.herdlab.lab.config.RunListener;
import dev.herdlab.lab.config.RunOptions;
import dev.herdlab.lab.report.Ink;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.report.RunText;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.result.ThresholdCheck;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Runs an experiment: on real sockets with the model beside it, or in the model alone.
@Command(
    name = "run",
    description = {
      "Runs an experiment on real sockets, with the exact model beside it.",
      "Without FILE: experiments/herd.yaml, about a minute. Ctrl-C ends it early: the cells that are",
      "finished are kept and printed, and the exit code is 130 (143 when SIGTERM ends it). It is 1 when",
      "a result could not be written, e.g. on a full disk; all are printed even then. A run that is not",
      "valid ends with 3, one that breaks a threshold with 4."
    })
final class RunCommand implements Callable<Integer> {
  @Mixin private final SetOption set = new SetOption();
  @Mixin private final PluginOption plugins = new PluginOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE|DIR",
      description = "An experiment (YAML), or the folder of a run, which is then repeated.")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = {
        "Folder for the results (default: results/<time>-<name>;",
        "with --model nothing is kept without it)."
      })
  private Optional<Path> out = Optional.empty();

  @Option(names = "--format", paramLabel = "FORMAT", description = "text or json (default: text).")
  private String format = "text";

  @Option(
      names = "--cell",
      paramLabel = "N",
      description = {
        "Only cell N of the experiment, from 0, e.g. for one job of many; the other",
        "cells of a sweep are other jobs'."
      })
  private Optional<Integer> cell = Optional.empty();

  @Option(names = "--model", description = "The model alone: no sockets, any algorithm, exact.")
  private boolean model;

  @Option(
      names = "--processes",
      description = "Generator, proxies and backends, a process each; as --set layout=processes.")
  private boolean processes;

  @Option(
      names = "--real-time",
      description = {
        "Real-time priority for the loops; refused where that is not allowed;",
        "as --set priority=real-time."
      })
  private boolean realTime;

  private final Host host;
  // What could not be written, one line each.
  private final List<String> notKept = new ArrayList<>();

  private RunCommand(Host host) {
    this.host = host;
  }

  static CommandLine create(Host host) {
    CommandLine command = new CommandLine(new RunCommand(host));
    List<String> footer = new ArrayList<>();
    footer.add("");
    footer.add("Keys of an experiment, in its file and for --set:");
    footer.addAll(KeyHelp.lines(ExperimentKeys.ALL));
    footer.addAll(
        List.of(
            "  cells           a list of maps in the file; each overrides some of the keys from unit to",
            "                  seeds, and sweeps on its own; --set replaces a key in all cells, and cells",
            "                  that become the same are run once",
            "",
            "Lists sweep: every combination is a cell; seeds vary fastest, then algorithm, proxies, view.",
            "",
            "Examples:",
            "  herdlab run",
            "  herdlab run --set proxies=1,4,16 --set 'algorithm=least-conn,p2c(d=3,draws=distinct)'",
            "  herdlab run --model --set requests=300000 --set seeds=0..4 --format json",
            "  herdlab run results/2026-11-30T120000-herd"));
    command.getCommandSpec().usageMessage().footer(escaped(footer));
    return command;
  }

  /// picocli takes a percent sign for the beginning of a format.
  private static String[] escaped(List<String> lines) {
    return lines.stream().map(line -> line.replace("%", "%%")).toArray(String[]::new);
  }

  @Override
  public Integer call() {
    Format chosen = Format.of(spec, format, Format.TEXT, Format.JSON);
    if (model && (processes || realTime)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          (processes ? "--processes" : "--real-time") + ": with --model (expected: one of them)");
    }
    Experiment experiment = experiment();
    PrintWriter err = spec.commandLine().getErr();
    experiment.warnings().forEach(warning -> err.println("herdlab: warning: " + warning));
    // Open until all is printed: Ctrl-C ends the process only after the last words.
    try (Interruption interruption = Interruption.listen()) {
      RunDocument document = document(experiment, err, interruption);
      print(document, chosen);
      return notKept.isEmpty() ? exitCode(document) : ExitCode.INTERNAL;
    }
  }

  private Experiment experiment() {
    Experiment whole = Experiment.load(Optional.of(source()), sets(), host.environment());
    if (cell.isEmpty()) {
      return whole;
    }
    if (cell.get() < 0 || cell.get() >= whole.cells().size()) {
      throw ConfigException.at(
          "--cell", cell.get().toString(), "0 to %d".formatted(whole.cells().size() - 1));
    }
    return whole.withCell(cell.get());
  }

  private void print(RunDocument document, Format chosen) {
    PrintWriter stdout = spec.commandLine().getOut();
    if (chosen == Format.JSON) {
      stdout.print(document.toJson());
    } else if (document.cells().isEmpty()) {
      spec.commandLine().getErr().println("herdlab: stopped before a cell was finished");
    } else {
      stdout.print(RunText.of(document, host.out() == Host.Device.TERMINAL ? ink() : Ink.PLAIN));
    }
    stdout.flush();
  }

  private Ink ink() {
    return host.environment().getOrDefault("NO_COLOR", "").isEmpty() ? Ink.COLOUR : Ink.PLAIN;
  }

  /// The file that is loaded.
  private Path source() {
    Path given = file.orElseGet(() -> host.experiment("herd.yaml"));
    if (!Files.isDirectory(given)) {
      return given;
    }
    Path repeated = given.resolve("experiment.yaml");
    if (!Files.exists(repeated)) {
      throw ConfigException.at(
          given.toString(), "no experiment.yaml in it", "an experiment's file or a run's folder");
    }
    return repeated;
  }

  private List<String> sets() {
    List<String> sets = new ArrayList<>(set.values());
    if (!plugins.jars().isEmpty()) {
      sets.add(
          "plugins="
              + plugins.jars().stream().map(Path::toString).collect(Collectors.joining(",")));
    }
    if (processes) {
      sets.add("layout=processes");
    }
    if (realTime) {
      sets.add("priority=real-time");
    }
    return sets;
  }

  private RunDocument document(Experiment experiment, PrintWriter err, Interruption interruption) {
    try (ProgressBar bar = new ProgressBar(err, host.err(), System::nanoTime)) {
      RunListener listener = listener(bar, interruption);
      return model
          ? ModelCells.run(experiment, out, listener)
          : LiveCommands.run(experiment, RunOptions.of(experiment, out), listener);
    }
  }

  private RunListener listener(ProgressBar bar, Interruption interruption) {
    return new RunListener() {
      @Override
      public void progress(double done, String what) {
        bar.update(done, what);
      }

      @Override
      public void note(String line) {
        bar.line("herdlab: " + line);
      }

      @Override
      public void notKept(String line) {
        bar.line("herdlab: " + line);
        notKept.add(line);
      }

      @Override
      public boolean stopRequested() {
        return interruption.requested();
      }

      @Override
      public void onStop(Runnable action) {
        interruption.onRequest(action);
      }
    };
  }

  private static int exitCode(RunDocument document) {
    boolean valid =
        document.cells().stream()
            .flatMap(cell -> cell.verdict().stream())
            .allMatch(CellResult.Verdict::valid);
    if (!valid || document.cells().isEmpty()) {
      return ExitCode.NOT_VALID;
    }
    boolean broken =
        document.checks().stream().anyMatch(check -> check.state() == ThresholdCheck.State.BROKEN);
    return broken ? ExitCode.THRESHOLD : ExitCode.OK;
  }
}
