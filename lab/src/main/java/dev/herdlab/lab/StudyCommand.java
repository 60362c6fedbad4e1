package dev.herdlab.lab;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.KeyTable;
import dev.herdlab.lab.config.Origin;
import dev.herdlab.lab.config.Sources;
import dev.herdlab.lab.report.StudyReport;
import dev.herdlab.simulator.study.Setting;
import dev.herdlab.simulator.study.Settings;
import dev.herdlab.simulator.study.Studies;
import dev.herdlab.simulator.study.Study;
import dev.herdlab.simulator.study.StudyResult;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// Runs a study of the model.
@Command(name = "study", description = "A question put to the model alone, many runs at once.")
final class StudyCommand implements Callable<Integer> {
  @Mixin private final SetOption set = new SetOption();
  @Mixin private final PluginOption plugins = new PluginOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(paramLabel = "NAME", description = "Which study; see below.")
  private String name = "";

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      description = "text, json or csv (default: text).")
  private String format = "text";

  private final Host host;

  private StudyCommand(Host host) {
    this.host = host;
  }

  static CommandLine create(Host host) {
    CommandLine command = new CommandLine(new StudyCommand(host));
    List<String> footer = new ArrayList<>(List.of("", "Studies and what may be set:"));
    for (Study study : new Studies(Algorithms.builtIn()).all()) {
      footer.add(String.format(Locale.ROOT, "  %-8s %s", study.name(), study.summary()));
      for (Setting setting : study.settings()) {
        footer.add(
            String.format(
                Locale.ROOT,
                "    %-10s %s (default: %s)",
                setting.name(),
                setting.documentation(),
                setting.defaultText()));
      }
    }
    footer.addAll(
        List.of(
            "",
            "Examples:",
            "  herdlab study herd",
            "  herdlab study stale --set refresh=0,1,4 --set seeds=0..9 --format csv"));
    command.getCommandSpec().usageMessage().footer(footer.toArray(new String[0]));
    return command;
  }

  @Override
  public Integer call() {
    Format chosen = Format.of(spec, format, Format.TEXT, Format.JSON, Format.CSV);
    Studies studies = new Studies(Main.algorithms(plugins.jars()));
    Study study = study(studies);
    Map<String, String> given = given(study);
    PrintWriter err = spec.commandLine().getErr();
    StudyResult result;
    try (ProgressBar bar = new ProgressBar(err, host.err(), System::nanoTime)) {
      Settings settings = studies.bind(study, given);
      result =
          study.run(
              settings,
              (done, total) -> bar.update((double) done / total, done + " of " + total + " runs"));
    } catch (IllegalArgumentException e) {
      String message = String.valueOf(e.getMessage());
      throw new ConfigException(origin(message, given) + message);
    }
    spec.commandLine()
        .getOut()
        .print(
            switch (chosen) {
              case TEXT -> StudyReport.text(result);
              case JSON -> StudyReport.json(study.name(), result);
              case CSV -> StudyReport.csv(result);
            });
    return ExitCode.OK;
  }

  private Study study(Studies studies) {
    List<String> names = studies.all().stream().map(Study::name).toList();
    if (!names.contains(name)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "study: "
              + name
              + " (expected: "
              + KeyTable.nearest(name, names)
                  .map(near -> "perhaps " + near)
                  .orElse("one of " + String.join(", ", names))
              + ")");
    }
    return studies.named(name);
  }

  /// What `--set` and the environment give, by setting.
  private Map<String, String> given(Study study) {
    Map<String, String> given = new LinkedHashMap<>();
    for (Setting setting : study.settings()) {
      String value = host.environment().get(Origin.variable(setting.name()));
      if (value != null) {
        given.put(setting.name(), value.strip());
      }
    }
    given.putAll(Sources.read(Optional.empty(), set.values(), host.environment()).sets());
    return given;
  }

  /// Where the setting that an error begins with was given.
  private String origin(String message, Map<String, String> given) {
    String key = message.replaceAll("(?s):.*", "");
    boolean bySet = set.values().stream().anyMatch(text -> text.startsWith(key + "="));
    if (bySet) {
      return "--set ";
    }
    return given.containsKey(key) ? "environment " + Origin.variable(key) + ": " : "";
  }
}
