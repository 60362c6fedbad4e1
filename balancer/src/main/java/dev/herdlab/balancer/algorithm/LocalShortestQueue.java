package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// What a proxy believes the queues to be: the last that each backend told, and one more for each
/// own pick since. Completions change nothing, a message sets the entry to what it says.
///
/// As the load metric of a full scan with random ties it is the algorithm `lsq`.
///
/// Cost: one array read a look; a draw for each probe. Owner thread: its balancer's.
final class LocalShortestQueue implements LoadMetric {
  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "lsq",
              "Shortest queue by the proxy's own list of queue lengths, which counts its own picks up and"
                  + " is now and then corrected by a backend's true length.",
              List.of(
                  Parameter.decimal(
                      "samples",
                      0,
                      64,
                      "2",
                      "distinct random backends probed after each pick; may be a fraction"),
                  Parameter.toggle(
                      "reports", "false", "whether load reports within responses correct it too"),
                  Parameter.toggle(
                      "idle", "false", "whether a backend that becomes idle tells a random proxy")),
              "O(n), one draw and one for each probe",
              "the list; survivors keep their entries, newcomers begin at 0",
              List.of(
                  "Vargaftik, Keslassy, Orda, *LSQ: Load Balancing in Large-Scale Heterogeneous Systems with"
                      + " Multiple Dispatchers*, arXiv 2003.02368: the rule of the local list; `samples` is"
                      + " its pull by dispatchers, `idle` its push by servers that become idle"),
              List.of(
                  "Written after the abstract and the authors' published simulator of later work; the"
                      + " paper's text was not at hand.",
                  "The paper has slots of time; here each pick is one. `samples=2` costs as many messages"
                      + " as power of two with probes.",
                  "`reports=true`: a backend's message goes to the proxy that it answers, not to a random"
                      + " one.",
                  "A probe does not count what is under way to the backend."));
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          return new SelectingBalancer(
              backends,
              new LocalShortestQueue(Settings.of(parameters), backends, ports),
              new FullScan(FullScan.Ties.RANDOM, ports.random()));
        }
      };

  private final LoadBalancer.Wants wants;
  private final Fraction samples;
  private final RandomProbes probes;
  private BackendSet backends;
  private int[] lengths;

  private LocalShortestQueue(Settings settings, BackendSet backends, Ports ports) {
    this.wants =
        new LoadBalancer.Wants(settings.toggle("reports"), settings.toggle("idle") ? 1 : 0, false);
    this.samples = new Fraction(settings.decimal("samples"));
    this.probes = new RandomProbes(backends.size(), ports.random(), ports.prober());
    this.backends = backends;
    this.lengths = new int[backends.size()];
  }

  @Override
  public double load(int index) {
    return lengths[index];
  }

  @Override
  public void picked(int index) {
    lengths[index]++;
    probes.send(samples.next());
  }

  @Override
  public void observe(BackendSignal signal) {
    switch (signal) {
      case BackendSignal.ProbeReply reply -> set(reply.backend(), reply.inFlight());
      case BackendSignal.IdleNotice notice -> set(notice.backend(), 0);
      case BackendSignal.LoadReport report -> {
        if (wants.loadReports()) {
          set(report.backend(), report.inFlight());
        }
      }
    }
  }

  private void set(String id, int inFlight) {
    int index = backends.indexOf(id);
    if (index >= 0) {
      lengths[index] = inFlight;
    }
  }

  @Override
  public LoadBalancer.Wants wants() {
    return wants;
  }

  @Override
  public void update(BackendSet next) {
    int[] moved = new int[next.size()];
    for (int i = 0; i < moved.length; i++) {
      int before = backends.indexOf(next.get(i).id());
      moved[i] = before < 0 ? 0 : lengths[before];
    }
    backends = next;
    lengths = moved;
    probes.resize(next.size());
  }
}
