package dev.herdlab.lab;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.lab.config.KeyTable;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;

/// The program: one command line, one command, one exit code.
public final class Main {
  private Main() {}

  /// Runs a command and ends the process with its exit code.
  public static void main(String[] args) {
    PrintWriter out = writer(FileDescriptor.out);
    PrintWriter err = writer(FileDescriptor.err);
    int code =
        isHealthCheck(args)
            ? health(args[1], out, err)
            : commandLine(Host.ofProcess(), out, err).execute(args);
    if (out.checkError()) {
      err.println("herdlab: stdout: cannot be written to; the output is not complete");
      code = ExitCode.INTERNAL;
    }
    err.flush();
    System.exit(code);
  }

  /// What every container does every few seconds, past all that other commands need.
  private static boolean isHealthCheck(String[] args) {
    return args.length == 2 && args[0].equals(HealthCheck.COMMAND) && !args[1].startsWith("-");
  }

  private static int health(String place, PrintWriter out, PrintWriter err) {
    try {
      return HealthCheck.check(place, out, err);
    } catch (ConfigException e) {
      err.println("herdlab: " + e.getMessage());
      return ExitCode.USAGE;
    }
  }

  /// Not System.out, which keeps errors to itself.
  private static PrintWriter writer(FileDescriptor descriptor) {
    return new PrintWriter(
        new OutputStreamWriter(new FileOutputStream(descriptor), StandardCharsets.UTF_8), true);
  }

  /// All commands, writing to `out` and `err`.
  static CommandLine commandLine(Host host, Writer out, Writer err) {
    CommandLine herdlab = new CommandLine(new HerdlabCommand());
    herdlab.addSubcommand(RunCommand.create(host));
    herdlab.addSubcommand(StudyCommand.create(host));
    herdlab.addSubcommand(new AlgorithmsCommand());
    herdlab.addSubcommand(new ReportCommand());
    LiveCommands.addTo(herdlab, host);
    herdlab.addMixin("help", new HelpOption());
    herdlab.getSubcommands().values().forEach(c -> c.addMixin("help", new HelpOption()));
    herdlab.setOut(new PrintWriter(out, true));
    herdlab.setErr(new PrintWriter(err, true));
    herdlab.setExpandAtFiles(false);
    herdlab.setUsageHelpAutoWidth(false);
    herdlab.setUsageHelpWidth(100);
    herdlab.setColorScheme(CommandLine.Help.defaultColorScheme(CommandLine.Help.Ansi.OFF));
    herdlab.setParameterExceptionHandler((e, args) -> usageError(e));
    herdlab.setExecutionExceptionHandler((e, command, parsed) -> failure(command, e));
    return herdlab;
  }

  private static int usageError(CommandLine.ParameterException e) {
    CommandLine command = e.getCommandLine();
    String line =
        e instanceof CommandLine.UnmatchedArgumentException unmatched
            ? unmatched(command, unmatched.getUnmatched().getFirst())
            : String.valueOf(e.getMessage()).lines().findFirst().orElse("").strip();
    command
        .getErr()
        .println(
            "herdlab: " + line + " (see " + command.getCommandSpec().qualifiedName() + " --help)");
    return ExitCode.USAGE;
  }

  /// What is wrong with an argument that nothing takes.
  private static String unmatched(CommandLine command, String argument) {
    CommandLine.Model.CommandSpec spec = command.getCommandSpec();
    boolean option = argument.startsWith("-");
    Set<String> known = option ? spec.optionsMap().keySet() : spec.subcommands().keySet();
    String what = option ? "option" : known.isEmpty() ? "argument" : "command";
    if (known.isEmpty()) {
      return argument + ": one argument too many";
    }
    return "%s: unknown %s (expected: %s)"
        .formatted(
            argument,
            what,
            KeyTable.nearest(argument, known)
                .map(near -> "perhaps " + near)
                .orElse("one of " + String.join(", ", known)));
  }

  private static int failure(CommandLine command, Exception e) {
    if (e instanceof ConfigException) {
      command.getErr().println("herdlab: " + e.getMessage());
      return ExitCode.USAGE;
    }
    command.getErr().println("herdlab: internal error: " + e);
    e.printStackTrace(command.getErr());
    return ExitCode.INTERNAL;
  }

  /// The algorithms of this program and of some jars, or one line about what is wrong with a jar.
  static Algorithms algorithms(List<Path> jars) {
    try {
      return Algorithms.withPlugins(jars);
    } catch (IllegalArgumentException e) {
      throw new ConfigException("--plugin: " + e.getMessage());
    }
  }
}
