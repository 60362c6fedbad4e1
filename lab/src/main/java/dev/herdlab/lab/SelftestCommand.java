package dev.herdlab.lab;

import dev.herdlab.lab.config.RunListener;
import dev.herdlab.lab.report.SelftestReport;
import dev.herdlab.lab.result.SelftestResult;
import dev.herdlab.lab.run.Selftest;
import dev.herdlab.transport.Scheduling;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Lets the instrument test itself.
@Command(
    name = "selftest",
    description = {
      "Puts known bugs into measured runs and shows that each is caught, and that the same run without a",
      "bug passes. About half a minute. Exit code 3 if a bug was missed or a sound run refused."
    })
final class SelftestCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--format", paramLabel = "FORMAT", description = "text or json (default: text).")
  private String format = "text";

  @Option(
      names = "--real-time",
      description = "Real-time priority for the loop; refused where the system does not allow it.")
  private boolean realTime;

  private final Host host;

  private SelftestCommand(Host host) {
    this.host = host;
  }

  static CommandLine create(Host host) {
    return new CommandLine(new SelftestCommand(host));
  }

  @Override
  public Integer call() {
    Format chosen = Format.of(spec, format, Format.TEXT, Format.JSON);
    PrintWriter err = spec.commandLine().getErr();
    SelftestResult result;
    try (ProgressBar bar = new ProgressBar(err, host.err(), System::nanoTime)) {
      result =
          Selftest.run(
              realTime ? Scheduling.REAL_TIME : Scheduling.DEFAULT,
              new RunListener() {
                @Override
                public void progress(double done, String what) {
                  bar.update(done, what);
                }

                @Override
                public void note(String line) {
                  bar.line("herdlab: " + line);
                }

                @Override
                public void notKept(String line) {}

                @Override
                public boolean stopRequested() {
                  return false;
                }

                @Override
                public void onStop(Runnable action) {}
              });
    }
    spec.commandLine()
        .getOut()
        .print(chosen == Format.JSON ? SelftestReport.json(result) : SelftestReport.text(result));
    return result.passed() ? ExitCode.OK : ExitCode.NOT_VALID;
  }
}
