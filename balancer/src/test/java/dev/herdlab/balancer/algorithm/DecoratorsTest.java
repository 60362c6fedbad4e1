package dev.herdlab.balancer.algorithm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.OneProxy;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.RequestKey;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.Waiting;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// Decorators around every algorithm that there is, in a history of picks, failures, signals and
/// changes of the set.
final class DecoratorsTest {
  private static final Set<String> DECORATORS =
      Set.of("slow-start", "outlier-ejection", "panic", "limit");
  private static final String EJECTION =
      "outlier-ejection(of=%s,by=failures,failures=40%%,failures-hosts=1,failures-volume=1,most=60%%,interval=50,base=100)";

  static Stream<String> algorithms() {
    return Algorithms.builtIn().all().stream()
        .map(algorithm -> algorithm.description().name())
        .filter(name -> !DECORATORS.contains(name))
        // Its default size is more than some of the sets here.
        .map(
            name ->
                name.equals("subset") || name.equals("shuffle-sharding")
                    ? name + "(size=2)"
                    : name);
  }

  static Stream<String> decorated() {
    return algorithms()
        .flatMap(
            of ->
                Stream.of(
                    EJECTION.formatted(of),
                    "panic(of=" + EJECTION.formatted(of) + ")",
                    "limit(of=" + of + ",n=2)",
                    "limit(of=panic(of=" + EJECTION.formatted(of) + "),n=2)"));
  }

  static Stream<String> slowed() {
    Algorithms all = Algorithms.builtIn();
    return algorithms()
        .filter(of -> all.parse(of, OneProxy.UNIT_NANOS).regard() != Algorithm.Regard.NOTHING)
        .map(
            of ->
                "limit(of=" + EJECTION.formatted("slow-start(of=" + of + ",window=300)") + ",n=3)");
  }

  @ParameterizedTest
  @MethodSource({"decorated", "slowed"})
  void everyAlgorithmCanBeDecorated(String spec) {
    OneProxy proxy = new OneProxy(BackendSet.of(OneProxy.named("abcdef")));
    proxy.install(spec, "local", 5);
    int limit = Algorithms.builtIn().parse(spec, OneProxy.UNIT_NANOS).limit();
    SeededRandom chance = SeededRandom.of(9, "history", 0);
    List<Picked> open = new ArrayList<>();
    int[] answered = {0};
    int asked = 0;
    BackendSet set = proxy.dispatcher.backends();
    List<String> sets = List.of("abcdefgh", "hgba", "abcdef", "cx", "fedcba");
    for (int i = 0; i < 600; i++) {
      proxy.nowNanos += chance.below(2 * (int) OneProxy.UNIT_NANOS);
      if (i % 100 == 99) {
        set = set.next(OneProxy.named(sets.get(i / 100 % sets.size())));
        proxy.update(set);
      }
      asked++;
      PickResult result =
          proxy.dispatcher.pick(
              new PickContext(RequestKey.of("t" + (1 + chance.below(20)))),
              later -> {
                answered[0]++;
                if (later instanceof Picked picked) {
                  open.add(picked);
                }
              });
      switch (result) {
        case Picked picked -> {
          answered[0]++;
          open.add(picked);
          assertThat(picked.backends()).isSameAs(proxy.dispatcher.backends());
        }
        case NoBackend refused -> answered[0]++;
        case Waiting place -> {}
      }
      assertThat(proxy.inFlight()).allMatch(count -> count <= limit);
      if (open.size() > 7) {
        Picked ended = open.remove(chance.below(open.size()));
        boolean fails = ended.backend().id().equals("b") && chance.below(2) == 0;
        proxy.dispatcher.observe(
            new BackendSignal.LoadReport(ended.backend().id(), chance.below(4), 0.5, 10, 0));
        ended.complete(fails ? new Outcome.Failed(FailureKind.ERROR_STATUS) : Outcome.SUCCEEDED);
      }
    }
    while (!open.isEmpty()) {
      open.removeLast().complete(Outcome.SUCCEEDED);
    }
    assertThat(answered[0]).isEqualTo(asked);
    assertThat(proxy.dispatcher.waiting()).isZero();
    assertThat(proxy.truth.total()).isZero();
  }
}
