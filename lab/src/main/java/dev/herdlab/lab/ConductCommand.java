package dev.herdlab.lab;

import dev.herdlab.lab.conduct.Conduct;
import dev.herdlab.lab.conduct.ConductKeys;
import dev.herdlab.lab.config.CellPlan;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.ExperimentKeys;
import dev.herdlab.lab.config.KeyHelp;
import dev.herdlab.lab.config.RunListener;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.lab.config.Sources;
import dev.herdlab.lab.report.Ink;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.report.RunText;
import dev.herdlab.lab.result.CellResult;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Plays an experiment's cells as phases of a running system.
@Command(
    name = "conduct",
    description = {
      "Plays the cells of an experiment as phases of a running system: proxies, backends and",
      "generators that are processes of their own, here or elsewhere. The load never stops: at the end",
      "of a phase all proxies switch to the next cell's algorithm and view, without losing a request.",
      "Each phase is compared with the model and judged as a cell of run is, with the queues that the",
      "one before left. Ctrl-C ends it; the phases that are finished are kept and printed."
    })
final class ConductCommand implements Callable<Integer> {
  @Mixin private final SetOption set = new SetOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "An experiment (YAML; default: experiments/tour.yaml).")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Holds a folder for each cycle (default: results/<name>).")
  private Optional<Path> out = Optional.empty();

  @Option(names = "--format", paramLabel = "FORMAT", description = "text or json (default: text).")
  private String format = "text";

  private final Host host;
  private final List<String> notKept = new ArrayList<>();

  private ConductCommand(Host host) {
    this.host = host;
  }

  static CommandLine create(Host host) {
    CommandLine command = new CommandLine(new ConductCommand(host));
    List<String> footer = new ArrayList<>();
    footer.add("");
    footer.add("Keys of the running system, for --set and HERDLAB_<KEY>:");
    footer.addAll(KeyHelp.lines(ConductKeys.ALL));
    footer.add("");
    footer.add("Keys of an experiment, in its file and for --set:");
    footer.addAll(KeyHelp.lines(ExperimentKeys.ALL));
    footer.add("");
    footer.add("proxies, backends, speeds and weights are those of the system that is found.");
    command
        .getCommandSpec()
        .usageMessage()
        .footer(footer.stream().map(line -> line.replace("%", "%%")).toArray(String[]::new));
    return command;
  }

  @Override
  public Integer call() {
    Format chosen = Format.of(spec, format, Format.TEXT, Format.JSON);
    Path source = file.orElseGet(() -> host.experiment("tour.yaml"));
    Sources sources = Sources.read(Optional.of(source), set.values(), host.environment());
    Experiment experiment = Experiment.load(sources, ConductKeys.ALL);
    refuseEvents(experiment);
    Settings settings = Settings.bindBeside(ConductKeys.ALL, sources);
    PrintWriter err = spec.commandLine().getErr();
    experiment.warnings().forEach(warning -> err.println("herdlab: warning: " + warning));
    try (Interruption interruption = Interruption.listen()) {
      RunDocument document =
          Conduct.conduct(
              experiment,
              settings,
              out,
              listener(err, interruption),
              line -> say(err, "herdlab: " + line));
      print(document, chosen);
      return notKept.isEmpty() ? exitCode(document) : ExitCode.INTERNAL;
    }
  }

  private static void refuseEvents(Experiment experiment) {
    for (CellPlan plan : experiment.cells()) {
      if (!plan.events().isEmpty()) {
        throw ConfigException.at(
            "events",
            plan.events().texts().getFirst(),
            "none: a phase of a running system is conducted without; herdlab run has them");
      }
    }
  }

  private void print(RunDocument document, Format chosen) {
    PrintWriter stdout = spec.commandLine().getOut();
    if (chosen == Format.JSON) {
      stdout.print(document.toJson());
    } else if (document.cells().isEmpty()) {
      spec.commandLine().getErr().println("herdlab: stopped before a phase was finished");
    } else {
      stdout.print(RunText.of(document, Ink.PLAIN));
    }
    stdout.flush();
  }

  private static void say(PrintWriter err, String line) {
    err.println(line);
    err.flush();
  }

  private RunListener listener(PrintWriter err, Interruption interruption) {
    return new RunListener() {
      private String last = "";

      @Override
      public void progress(double done, String what) {
        if (!what.equals(last)) {
          last = what;
          say(err, "herdlab: " + what);
        }
      }

      @Override
      public void note(String line) {
        say(err, "herdlab: " + line);
      }

      @Override
      public void notKept(String line) {
        say(err, "herdlab: " + line);
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
    return valid && !document.cells().isEmpty() ? ExitCode.OK : ExitCode.NOT_VALID;
  }
}
