package dev.herdlab.lab;

import dev.herdlab.lab.config.KeyHelp;
import dev.herdlab.lab.config.KeyTable;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.lab.config.Sources;
import dev.herdlab.lab.report.LoadText;
import dev.herdlab.lab.run.ComponentKeys;
import dev.herdlab.lab.run.Components;
import java.io.InputStream;
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
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// One component as a process of its own: `backend`, `proxy` or `loadgen`.
@Command
final class ComponentCommand implements Callable<Integer> {
  @Mixin private final SetOption set = new SetOption();
  // An option of the proxy alone, which has algorithms.
  private final PluginOption plugins = new PluginOption();
  // An option of the backend alone.
  private final EngineOption engine = new EngineOption();
  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(arity = "0..1", paramLabel = "FILE", description = "Settings (YAML).")
  private Optional<Path> file = Optional.empty();

  private final Kind kind;
  private final Host host;
  private final InputStream in;

  /// Which component.
  @SuppressWarnings("ImmutableEnumChecker") // a key table is a record with a copied list
  enum Kind {
    BACKEND(
        "backend",
        "Stub backends: each one first-in-first-out queue with one server, exact to the nanosecond."),
    PROXY("proxy", "Reverse proxies that share a pool of backends."),
    LOADGEN("loadgen", "An open-loop load generator.");

    private final String command;
    private final String description;

    Kind(String command, String description) {
      this.command = command;
      this.description = description;
    }

    private KeyTable keys() {
      return switch (this) {
        case BACKEND -> ComponentKeys.BACKEND;
        case PROXY -> ComponentKeys.PROXY;
        case LOADGEN -> ComponentKeys.LOADGEN;
      };
    }
  }

  private ComponentCommand(Kind kind, Host host, InputStream in) {
    this.kind = kind;
    this.host = host;
    this.in = in;
  }

  static CommandLine create(Kind kind, Host host, InputStream in) {
    ComponentCommand component = new ComponentCommand(kind, host, in);
    CommandLine command = new CommandLine(component);
    if (kind == Kind.PROXY) {
      command.addMixin("plugins", component.plugins);
    }
    if (kind == Kind.BACKEND) {
      command.addMixin("engine", component.engine);
    }
    CommandSpec spec = command.getCommandSpec().name(kind.command);
    spec.usageMessage().description(kind.description);
    List<String> footer = new ArrayList<>(List.of("", "Keys, in the file and for --set:"));
    footer.addAll(KeyHelp.lines(kind.keys()));
    footer.add("");
    if (kind == Kind.LOADGEN) {
      footer.add(
          "Without an admin port: sends these requests and prints what happened; exit code 3");
      footer.add("if one failed. With one: sends what it is told to there.");
    }
    footer.add(
        "With ports of its own it prints one JSON line when it is ready, and runs until it is");
    footer.add("ended. On its admin port it is asked and told things: docs/admin-api.md.");
    spec.usageMessage()
        .footer(footer.stream().map(line -> line.replace("%", "%%")).toArray(String[]::new));
    return command;
  }

  @Override
  public Integer call() {
    List<String> sets = new ArrayList<>(set.values());
    engine.engine().ifPresent(name -> sets.add("engine=" + name));
    Sources sources = Sources.read(file, sets, host.environment());
    Settings settings = Settings.bind(kind.keys(), sources);
    PrintWriter err = spec.commandLine().getErr();
    sources.warnings(kind.keys()).forEach(warning -> err.println("herdlab: warning: " + warning));
    PrintWriter out = spec.commandLine().getOut();
    switch (kind) {
      case BACKEND -> Components.backend(settings, in, out);
      case PROXY -> Components.proxy(settings, Main.algorithms(plugins.jars()), in, out);
      case LOADGEN -> {
        Optional<Components.Sent> sent = Components.loadgen(settings, in, out);
        sent.ifPresent(
            load ->
                out.print(
                    LoadText.of(load.trace(), load.run(), settings.get(ComponentKeys.WARMUP))));
        return sent.isEmpty() || LoadText.failed(sent.get().run()) == 0
            ? ExitCode.OK
            : ExitCode.NOT_VALID;
      }
    }
    return ExitCode.OK;
  }
}
