package dev.herdlab.lab;

import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.RunListener;
import dev.herdlab.lab.config.RunOptions;
import dev.herdlab.lab.report.RunDocument;
import dev.herdlab.lab.run.LiveRun;
import picocli.CommandLine;

/// The commands whose bodies stand in `lab.run`, because they open sockets.
final class LiveCommands {
  private LiveCommands() {}

  static void addTo(CommandLine herdlab, Host host) {
    herdlab.addSubcommand(SelftestCommand.create(host));
    herdlab.addSubcommand(DnsCommand.create(host, System.in));
    herdlab.addSubcommand(HealthCommand.create());
    herdlab.addSubcommand(ConductCommand.create(host));
    for (ComponentCommand.Kind kind : ComponentCommand.Kind.values()) {
      herdlab.addSubcommand(ComponentCommand.create(kind, host, System.in));
    }
  }

  static RunDocument run(Experiment experiment, RunOptions options, RunListener listener) {
    return LiveRun.run(experiment, options, listener);
  }
}
