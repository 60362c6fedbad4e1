package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.ConfiguredAlgorithm;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.RequestKey;
import dev.herdlab.balancer.View;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

/// What the model's backends and clients tell a balancer: reports, notices, answers, keys, cookies.
class ModelSignalsTest {
  private final List<String> heard = new ArrayList<>();
  private LoadBalancer.Wants wants = LoadBalancer.Wants.NOTHING;
  private int idleQueueOfProxy1;
  private long probeDelayNanos;

  /// Picks the backends of a script, one after another at all proxies together, and notes what it
  /// hears.
  private final class Scripted implements LoadBalancer {
    private final BackendSet backends;
    private final Ports ports;
    private final Script script;

    Scripted(BackendSet backends, Ports ports, Script script) {
      this.backends = backends;
      this.ports = ports;
      this.script = script;
    }

    private void note(String what) {
      heard.add(ports.clock().nanos() + " " + ports.peers().number() + ": " + what);
    }

    @Override
    public PickResult pick(PickContext context) {
      if (script.noteContexts) {
        note("key " + context.key() + ", cookie '" + context.pinned() + "'");
      }
      int pick = script.picks[script.next++];
      if (script.probed >= 0) {
        ports.prober().probe(script.probed);
      }
      return new Picked(backends, pick);
    }

    @Override
    public void update(BackendSet next) {}

    @Override
    public void completed(Picked picked, Outcome outcome) {
      note("done " + picked.backend().id());
    }

    @Override
    public void observe(BackendSignal signal) {
      note(signal.toString());
    }

    @Override
    public Wants wants() {
      return wants;
    }

    @Override
    public int idleQueueLength() {
      return ports.peers().number() == 1 ? idleQueueOfProxy1 : 2;
    }
  }

  private static final class Script {
    private final int[] picks;
    private int probed = -1;
    private boolean noteContexts;
    private int next;

    Script(int... picks) {
      this.picks = picks;
    }
  }

  private ModelRun run(Trace trace, Script script) {
    ConfiguredAlgorithm roundRobin = Algorithms.builtIn().parse("round-robin", 1);
    Algorithm algorithm =
        new Algorithm() {
          @Override
          public Description description() {
            return roundRobin.algorithm().description();
          }

          @Override
          public LoadBalancer create(
              Parameters parameters, BackendSet backends, View view, Ports ports) {
            return new Scripted(backends, ports, script);
          }
        };
    return new Model(
            BackendSet.ofSize(3),
            Collections.nCopies(3, 1.0),
            new ConfiguredAlgorithm("scripted", algorithm, roundRobin.parameters()),
            new ViewSpec.Local())
        .withProbeDelay(probeDelayNanos)
        .run(trace, 0);
  }

  private static Trace trace(int proxies, long[] intended, int[] proxy, long[] service) {
    return Trace.of(proxies, intended, proxy, service);
  }

  @Test
  void nothingIsHeardUnlessItIsWanted() {
    run(trace(1, new long[] {0, 5}, new int[2], new long[] {10, 10}), new Script(0, 1));

    assertThat(heard).containsExactly("10 0: done b0", "15 0: done b1");
  }

  @Test
  void aReportComesRightBeforeItsCompletionAndToTheProxyThatAsked() {
    wants = LoadBalancer.Wants.LOAD_REPORTS;

    run(trace(2, new long[] {0, 4}, new int[] {1, 0}, new long[] {10, 10}), new Script(2, 2));

    // The first of two is done after 10 ns, all of them busy: one is left, and one end in 10 ns, by
    // a window of a second, is a rate of 1e8 a second and a trifle.
    assertThat(heard).hasSize(4);
    assertThat(heard.get(0))
        .startsWith("10 1: LoadReport[backend=b2, inFlight=1, utilisation=1.0, ratePerSecond=1.0")
        .endsWith("E8, errorsPerSecond=0.0]");
    assertThat(heard.get(1)).isEqualTo("10 1: done b2");
    assertThat(heard.get(2)).startsWith("20 0: LoadReport[backend=b2, inFlight=0");
    assertThat(heard.get(3)).isEqualTo("20 0: done b2");
  }

  @Test
  void anIdleNoticeFollowsTheCompletionThatEmptiesTheBackend() {
    wants = new LoadBalancer.Wants(false, 1, false);

    run(trace(1, new long[] {0, 4, 30}, new int[3], new long[] {10, 10, 5}), new Script(2, 2, 1));

    assertThat(heard)
        .containsExactly(
            "10 0: done b2",
            "20 0: done b2",
            "20 0: IdleNotice[backend=b2]",
            "35 0: done b1",
            "35 0: IdleNotice[backend=b1]");
  }

  /// 3000 requests, each alone at its backend, so that each gives a notice.
  private int[] noticesOfProxies(int proxies) {
    int requests = 3000;
    long[] intended = new long[requests];
    long[] service = new long[requests];
    for (int i = 0; i < requests; i++) {
      intended[i] = 10L * i;
      service[i] = 5;
    }
    run(trace(proxies, intended, new int[requests], service), new Script(new int[requests]));
    int[] notices = new int[proxies];
    for (String line : heard) {
      if (line.endsWith("IdleNotice[backend=b0]")) {
        notices[line.charAt(line.indexOf(' ') + 1) - '0']++;
      }
    }
    return notices;
  }

  @Test
  void withOneChoiceEveryProxyHearsOfIdleBackendsEquallyOften() {
    wants = new LoadBalancer.Wants(false, 1, false);

    // Binomial of 3000 and 1/3, deviation 25.8: five of them, 6e-7 for each proxy.
    for (int notices : noticesOfProxies(3)) {
      assertThat(notices).isBetween(1000 - 129, 1000 + 129);
    }
  }

  @Test
  void ofTwoDifferentProxiesTheOneWithTheShorterIdleQueueHears() {
    wants = new LoadBalancer.Wants(false, 2, false);
    idleQueueOfProxy1 = 1;

    // Proxy 1 hears whenever it is among two of three; the others are first equally often when it
    // is not: 2/3, 1/6, 1/6, deviations 25.8 and 20.4; five of them, 6e-7 each.
    int[] notices = noticesOfProxies(3);
    assertThat(notices[1]).isBetween(2000 - 129, 2000 + 129);
    assertThat(notices[0]).isBetween(500 - 102, 500 + 102);
    assertThat(notices[0] + notices[1] + notices[2]).isEqualTo(3000);
  }

  @Test
  void moreChoicesThanProxiesMeanTheShortestOfAll() {
    wants = new LoadBalancer.Wants(false, 7, false);
    idleQueueOfProxy1 = 1;

    assertThat(noticesOfProxies(3)).containsExactly(0, 3000, 0);
  }

  @Test
  void aProbeIsAnsweredAtOnceButBehindTheRequestThatSentIt() {
    Script script = new Script(0, 0);
    script.probed = 0;

    run(trace(1, new long[] {0, 3}, new int[2], new long[] {10, 10}), script);

    // Nothing has been done there yet, so that no latency is known.
    assertThat(heard)
        .containsExactly(
            "0 0: ProbeReply[backend=b0, inFlight=1, latencyNanos=0]",
            "3 0: ProbeReply[backend=b0, inFlight=2, latencyNanos=0]",
            "10 0: done b0",
            "20 0: done b0");
  }

  @Test
  void aProbesAnswerKnowsTheLatencyThatOthersMetAtThatNumberInFlight() {
    Script script = new Script(0, 0, 0, 1);
    script.probed = 0;

    run(trace(1, new long[] {0, 3, 100, 200}, new int[4], new long[] {10, 10, 7, 1}), script);

    // Met 0 in flight: 10 ns by the first, 7 by the third, of which the lower is the median; met 1:
    // 17 by the second.
    assertThat(heard)
        .contains(
            "100 0: ProbeReply[backend=b0, inFlight=1, latencyNanos=17]",
            "200 0: ProbeReply[backend=b0, inFlight=0, latencyNanos=7]");
  }

  @Test
  void aProbeTakesItsDelayThereAndBack() {
    probeDelayNanos = 4;
    Script script = new Script(1, 0);
    script.probed = 0;

    run(trace(1, new long[] {0, 3}, new int[2], new long[] {6, 10}), script);

    // Read at 4, when the second request is there; heard at 8. The other: read at 7, heard at 11.
    assertThat(heard)
        .containsExactly(
            "6 0: done b1",
            "8 0: ProbeReply[backend=b0, inFlight=1, latencyNanos=0]",
            "11 0: ProbeReply[backend=b0, inFlight=1, latencyNanos=0]",
            "13 0: done b0");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new Model(
                        BackendSet.ofSize(1),
                        List.of(1.0),
                        Algorithms.builtIn().parse("random", 1),
                        new ViewSpec.Local())
                    .withProbeDelay(-1))
        .withMessage("delay: -1 ns (expected: >= 0)");
  }

  private static Trace ofTenants(int proxies, long[] intended, int[] proxy, int... tenant) {
    long[] service = new long[intended.length];
    Arrays.fill(service, 10);
    return Trace.of(proxies, intended, proxy, service, tenant);
  }

  @Test
  void aRequestsKeyIsItsTenants() {
    Script script = new Script(0, 1, 2);
    script.noteContexts = true;

    run(ofTenants(1, new long[] {0, 1, 2}, new int[3], 7, Trace.NO_TENANT, 7), script);

    String key = String.valueOf(RequestKey.of("t7"));
    assertThat(heard.subList(0, 3))
        .containsExactly(
            "0 0: key " + key + ", cookie ''",
            "1 0: key 0, cookie ''",
            "2 0: key " + key + ", cookie ''");
  }

  @Test
  void aClientSendsTheCookieOfItsLastResponseToWhateverProxy() {
    wants = new LoadBalancer.Wants(false, 0, true);
    Script script = new Script(2, 0, 1, 1, 0, 0);
    script.noteContexts = true;

    // Tenant 1 asks at 0, again before its answer of 10, then at another proxy; tenant 2 has no
    // part in it; one without a tenant keeps nothing.
    run(
        ofTenants(
            2,
            new long[] {0, 5, 11, 12, 13, 40},
            new int[] {0, 0, 1, 0, 0, 0},
            1,
            1,
            1,
            2,
            Trace.NO_TENANT,
            1),
        script);

    List<String> cookies =
        heard.stream()
            .filter(line -> line.contains("cookie"))
            .map(line -> line.substring(0, line.indexOf(' ')) + line.substring(line.indexOf("'")))
            .toList();
    // By 40 the responses of 15 (b0) and 21 (b1) have come, which set the cookie anew.
    assertThat(cookies).containsExactly("0''", "5''", "11'b2'", "12''", "13''", "40'b1'");
  }

  @Test
  void aResponseOfTheBackendThatTheCookieNamedSetsNone() {
    wants = new LoadBalancer.Wants(false, 0, true);
    Script script = new Script(2, 2, 0, 1);
    script.noteContexts = true;

    // The request of 11 carries b2 and is served there by 41, since another of 31 ns is before it;
    // that of 12 is served by b0 at 22 and sets its cookie, which the later response leaves alone.
    run(
        Trace.of(
            1,
            new long[] {0, 11, 12, 60},
            new int[4],
            new long[] {10, 30, 10, 1},
            new int[] {1, 1, 1, 1}),
        script);

    assertThat(heard.stream().filter(line -> line.startsWith("60 0: key"))).hasSize(1);
    assertThat(heard.stream().filter(line -> line.startsWith("60 0: key")).findFirst().get())
        .endsWith("cookie 'b0'");
  }

  @Test
  void whoWantsNoCookiesGivesNone() {
    Script script = new Script(2, 2);
    script.noteContexts = true;

    run(ofTenants(1, new long[] {0, 20}, new int[2], 1, 1), script);

    assertThat(heard).noneMatch(line -> line.contains("'b"));
  }

  @Test
  void theViewReportedShowsWhatEachBackendSaidLast() {
    Model model =
        new Model(
            BackendSet.ofSize(2),
            Collections.nCopies(2, 1.0),
            Algorithms.builtIn().parse("least-conn(ties=first)", 1),
            new ViewSpec.Reported());
    List<Integer> picks = new ArrayList<>();

    ModelRun run =
        model.run(
            // b0 answers at 10 with one left in flight, so that b1 is picked from then on; it says
            // 0 with its own answer at 20, and at 22, and first among equals is b0.
            trace(1, new long[] {0, 4, 12, 25}, new int[4], new long[] {10, 10, 10, 10}),
            0,
            Refreshes.none(),
            new DispatchListener() {
              @Override
              public void picked(int proxy, Picked picked, PickContext context) {
                picks.add(picked.index());
              }
            });

    assertThat(picks).containsExactly(0, 0, 1, 0);
    assertThat(run.latencyNanos(1)).isEqualTo(16);
  }
}
