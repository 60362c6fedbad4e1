package dev.herdlab.lab;

import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.KeyHelp;
import dev.herdlab.lab.config.RunListener;
import dev.herdlab.lab.config.RunOptions;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.lab.config.Sources;
import dev.herdlab.lab.report.DnsSkewReport;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.result.DnsSkewResult;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// How evenly DNS spreads requests over proxies, against its TTL.
@Command(
    name = "skew",
    description = {
      "How unevenly requests fall on proxies that are found through DNS.",
      "Each client keeps the first address of an answer until its TTL has passed. Measured by the answers",
      "of a real server on loopback, with time compressed, beside the model. With --http the requests are",
      "then sent as well, through real proxies: each to the one that DNS named."
    })
final class DnsSkewCommand implements Callable<Integer> {
  @Mixin private final SetOption set = new SetOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..1",
      paramLabel = "FILE",
      description = "Settings (YAML; default: experiments/dns-rotation.yaml).")
  private Optional<Path> file = Optional.empty();

  @Option(
      names = "--http",
      description = "Sends the requests of each row, at their real pace: takes longer.")
  private boolean http;

  @Option(
      names = "--out",
      paramLabel = "DIR",
      description = "Keeps the runs of --http: a folder for each row.")
  private Optional<Path> out = Optional.empty();

  @Option(names = "--format", paramLabel = "FORMAT", description = "text or json (default: text).")
  private String format = "text";

  private final Host host;

  private DnsSkewCommand(Host host) {
    this.host = host;
  }

  static CommandLine create(Host host) {
    CommandLine command = new CommandLine(new DnsSkewCommand(host));
    List<String> footer = new ArrayList<>(List.of("", "Keys, in the file and for --set:"));
    footer.addAll(KeyHelp.lines(DnsSkewKeys.ALL));
    footer.addAll(
        List.of(
            "",
            "Lists sweep. Exit codes: 1 the server could not be asked, 2 bad usage, 3 a run of --http is",
            "not valid.",
            "",
            "Examples:",
            "  herdlab dns skew",
            "  herdlab dns skew --set rotation=cyclic --set clients=4,64 --set ttl=0,10,1000",
            "  herdlab dns skew --http --set rotation=cyclic --set ttl=0,1000 --set requests=4000"));
    command
        .getCommandSpec()
        .usageMessage()
        .footer(footer.stream().map(line -> line.replace("%", "%%")).toArray(String[]::new));
    return command;
  }

  @Override
  public Integer call() throws IOException {
    Format chosen = Format.of(spec, format, Format.TEXT, Format.JSON);
    if (out.isPresent() && !http) {
      throw DnsCommand.badUsage(spec, "--out: without --http (expected: both, or none)");
    }
    Path source = file.orElseGet(() -> host.home().resolve("experiments/dns-rotation.yaml"));
    Sources sources = Sources.read(Optional.of(source), set.values(), host.environment());
    Settings settings = Settings.bind(DnsSkewKeys.ALL, sources);
    PrintWriter err = spec.commandLine().getErr();
    sources
        .warnings(DnsSkewKeys.ALL)
        .forEach(warning -> err.println("herdlab: warning: " + warning));
    Path folder = Files.createTempDirectory("herdlab-dns");
    try (ProgressBar bar = new ProgressBar(err, host.err(), System::nanoTime)) {
      DnsSkewResult result = run(new DnsSkewStudy(settings, folder), settings, folder, bar);
      spec.commandLine()
          .getOut()
          .print(chosen == Format.JSON ? DnsSkewReport.json(result) : DnsSkewReport.text(result));
      return isValid(result) ? ExitCode.OK : ExitCode.NOT_VALID;
    } catch (IllegalStateException e) {
      return DnsCommand.noAnswer(spec, e);
    } finally {
      delete(folder);
    }
  }

  private DnsSkewResult run(DnsSkewStudy study, Settings settings, Path folder, ProgressBar bar)
      throws IOException {
    List<DnsSkewStudy.Factors> factors = study.factors();
    List<DnsSkewResult.Row> rows = new ArrayList<>();
    for (int i = 0; i < factors.size(); i++) {
      bar.update((double) i / factors.size(), "row " + (i + 1) + " of " + factors.size());
      DnsSkewStudy.Asked measured = study.measure(factors.get(i));
      Optional<DnsSkewResult.Http> sent = Optional.empty();
      if (http) {
        Path requests = folder.resolve("requests.csv.gz");
        study.routed(measured).write(requests);
        Path kept = out.orElse(folder.resolve("runs")).resolve("row-" + (i + 1));
        sent = sent(settings, requests, kept, bar);
      }
      rows.add(study.row(factors.get(i), measured, sent));
    }
    return study.result(rows);
  }

  /// Sends requests through the proxies that they name.
  private static Optional<DnsSkewResult.Http> sent(
      Settings settings, Path requests, Path kept, ProgressBar bar) {
    List<String> sets = new ArrayList<>(DnsSkewStudy.sets(settings));
    sets.add("trace=" + requests);
    Experiment experiment = Experiment.load(Optional.empty(), sets, Map.of());
    RunDocument document =
        LiveCommands.run(experiment, RunOptions.of(experiment, Optional.of(kept)), listener(bar));
    CellResult cell = document.cells().getFirst();
    return cell.comparison()
        .map(
            comparison ->
                new DnsSkewResult.Http(
                    comparison.measured(), comparison.replay(), comparison.verdict()));
  }

  private static RunListener listener(ProgressBar bar) {
    return new RunListener() {
      @Override
      public void progress(double done, String what) {}

      @Override
      public void note(String line) {
        bar.line("herdlab: " + line);
      }

      @Override
      public void notKept(String line) {
        bar.line("herdlab: " + line);
      }

      @Override
      public boolean stopRequested() {
        return false;
      }

      @Override
      public void onStop(Runnable action) {}
    };
  }

  private boolean isValid(DnsSkewResult result) {
    return !http
        || result.rows().stream()
            .allMatch(row -> row.http().map(sent -> sent.verdict().valid()).orElse(false));
  }

  private static void delete(Path folder) {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
