package dev.herdlab.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ReportedViewTest {
  private final BackendSet abc = BackendSet.of(OneProxy.named("abc"));

  private OneProxy proxy(String algorithm) {
    return new OneProxy(abc).install(algorithm, "reported", 1);
  }

  private static void report(OneProxy proxy, String id, int inFlight) {
    proxy.dispatcher.observe(new BackendSignal.LoadReport(id, inFlight, 0, 0, 0));
  }

  @Test
  void showsWhatEachBackendReportedLastAndZeroBefore() {
    ReportedView view = new ReportedView(abc, new Counts(abc));
    view.observe(new BackendSignal.LoadReport("b", 5, 0, 0, 0));
    view.observe(new BackendSignal.LoadReport("b", 3, 0, 0, 0));
    view.observe(new BackendSignal.LoadReport("nobody", 9, 0, 0, 0));
    view.observe(new BackendSignal.ProbeReply("a", 7, 1));

    assertThat(new int[] {view.inFlight(0), view.inFlight(1), view.inFlight(2)})
        .containsExactly(0, 3, 0);
  }

  @Test
  void survivorsKeepTheirReportsAndNewcomersHaveNone() {
    ReportedView view = new ReportedView(abc, new Counts(abc));
    view.observe(new BackendSignal.LoadReport("c", 4, 0, 0, 0));
    view.update(abc.next(OneProxy.named("xc")));

    assertThat(new int[] {view.inFlight(0), view.inFlight(1)}).containsExactly(0, 4);
  }

  @Test
  void balancerPicksByReportsAndNotByItsOwnPicks() {
    OneProxy proxy = proxy("least-conn(ties=first)");
    report(proxy, "a", 2);
    report(proxy, "b", 1);
    report(proxy, "c", 3);

    assertThat(List.of(proxy.pick().index(), proxy.pick().index())).containsExactly(1, 1);
  }

  @Test
  void wantsReportsWhateverTheBalancerIs() {
    assertThat(proxy("random").dispatcher.wants()).isEqualTo(LoadBalancer.Wants.LOAD_REPORTS);
    assertThat(proxy("join-idle-queue(d=3)").dispatcher.wants())
        .isEqualTo(new LoadBalancer.Wants(true, 3, false));
  }

  @Test
  void wantsAreTheInstalledBalancersAndNothingWithoutOne() {
    OneProxy proxy = new OneProxy(abc);
    assertThat(proxy.dispatcher.wants()).isEqualTo(LoadBalancer.Wants.NOTHING);
    proxy.install("client-weighted", "local", 1);
    assertThat(proxy.dispatcher.wants()).isEqualTo(LoadBalancer.Wants.LOAD_REPORTS);
    proxy.install("p2c(metric=reported-in-flight)", "local", 1);
    assertThat(proxy.dispatcher.wants()).isEqualTo(LoadBalancer.Wants.LOAD_REPORTS);
    proxy.install("p2c", "local", 1);
    assertThat(proxy.dispatcher.wants()).isEqualTo(LoadBalancer.Wants.NOTHING);
    proxy.install("join-idle-queue", "local", 1);
    proxy.dispatcher.uninstall();

    assertThat(proxy.dispatcher.wants()).isEqualTo(LoadBalancer.Wants.NOTHING);
  }

  @Test
  void listenerHearsOfASignalBeforeViewAndBalancer() {
    List<String> heard = new ArrayList<>();
    Dispatcher[] dispatcher = new Dispatcher[1];
    DispatchListener listener =
        new DispatchListener() {
          @Override
          public void observed(int proxy, int index, BackendSignal signal, long nowNanos) {
            heard.add(
                proxy
                    + " "
                    + signal.backend()
                    + " at "
                    + nowNanos
                    + ", then queued "
                    + dispatcher[0].idleQueueLength());
          }
        };
    dispatcher[0] = new Dispatcher(4, abc, new Counts(abc), () -> 77, listener);
    dispatcher[0].install(
        Algorithms.builtIn().parse("join-idle-queue", 1),
        new ViewSpec.Local(),
        SeededRandom.of(1, "coins", 0),
        (delayNanos, task) -> {},
        index -> {});
    dispatcher[0].observe(new BackendSignal.IdleNotice("b"));

    assertThat(heard).containsExactly("4 b at 77, then queued 0");
    assertThat(dispatcher[0].idleQueueLength()).isEqualTo(1);
  }
}
