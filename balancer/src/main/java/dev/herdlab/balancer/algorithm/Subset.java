package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import dev.herdlab.balancer.XxHash64;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.stream.IntStream;

/// Each proxy knows only a few of the backends, always the same, and picks among these by an inner
/// rule. Fewer connections, at the price of loads that differ from backend to backend.
///
/// Cost: the inner rule's; a set that changes O(n log n). Owner thread: its dispatcher's.
final class Subset implements LoadBalancer {
  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "subset",
              "Each proxy picks among a few of the backends alone, always the same ones, by an inner rule.",
              List.of(
                  Parameter.whole("size", 1, 100_000, "4", "backends that a proxy uses"),
                  Parameter.choice(
                      "method",
                      List.of("deterministic", "rendezvous"),
                      "deterministic",
                      "by the proxy's number, so that all backends have as many proxies give or take one;"
                          + " or those that rank first by a hash with a seed of the proxy's own, so that"
                          + " one member changes when one backend does"),
                  InnerRule.parameter(
                      "how a member is picked",
                      InnerRule.P2C,
                      InnerRule.LEAST_CONN,
                      InnerRule.ROUND_ROBIN,
                      InnerRule.RANDOM)),
              "O(1), that of the inner rule; `method=rendezvous` draws two numbers at its start",
              "which backends it uses, and with `inner=round-robin` whose turn it is, which passes on if"
                  + " that one leaves the subset. A subset larger than the set is"
                  + " refused at the start with `method=deterministic`; if the set shrinks below it later,"
                  + " all are used",
              List.of(
                  "`method=deterministic`: *Site Reliability Engineering*, O'Reilly 2016, chapter 20, with"
                      + " the shuffle of Python 2, as in its example",
                  "`method=rendezvous`: gRFC A68 (`random_subsetting`), grpc/proposal commit 1fd061a;"
                      + " grpc-go `balancer/randomsubsetting`, commit 4793ad0"),
              List.of(
                  "Where the subset's size does not divide n, the book's text lets some subsets be larger, but"
                      + " its program, followed here, leaves the rest out for that round of proxies.",
                  "A68 hashes addresses; here ids are hashed. A seed has 60 random bits."));
        }

        @Override
        public Regard regard(Parameters parameters) {
          return InnerRule.regard(parameters);
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          Settings settings = Settings.of(parameters);
          int size = settings.whole("size");
          Function<BackendSet, int[]> choice;
          if (settings.choice("method").equals("rendezvous")) {
            long seed = seed(ports.random());
            choice = set -> firstOf(set, size, seed);
          } else {
            if (backends.size() > 0 && size > backends.size()) {
              throw new IllegalArgumentException(
                  "size: %d (expected: at most the number of backends, %d)"
                      .formatted(size, backends.size()));
            }
            choice = set -> ofRound(set.size(), size, ports.peers().number());
          }
          return new Subset(backends, view, choice, InnerRule.of(settings, ports.random()));
        }
      };

  private final Function<BackendSet, int[]> choice;
  private final Selector inner;
  private final Members members;
  private BackendSet backends;

  private Subset(
      BackendSet backends, View view, Function<BackendSet, int[]> choice, Selector inner) {
    this.choice = choice;
    this.inner = inner;
    this.backends = backends;
    this.members = new Members(view, choice.apply(backends));
  }

  /// The book's: proxies come in rounds of as many as there are subsets; each round shuffles the
  /// backends anew, and cuts them up.
  static int[] ofRound(int backends, int size, int proxy) {
    int[] shuffled = Members.all(backends);
    if (size >= backends) {
      return shuffled;
    }
    int subsets = backends / size;
    MersenneTwister numbers = new MersenneTwister();
    numbers.seedAsPython(proxy / subsets);
    for (int i = backends - 1; i > 0; i--) {
      int j = (int) (numbers.unit() * (i + 1));
      int moved = shuffled[i];
      shuffled[i] = shuffled[j];
      shuffled[j] = moved;
    }
    int start = proxy % subsets * size;
    return Arrays.copyOfRange(shuffled, start, start + size);
  }

  /// A proxy's own seed: 60 random bits.
  static long seed(Ports.RandomSource random) {
    return ((long) random.below(1 << 30) << 30) | random.below(1 << 30);
  }

  /// A68's: the first of all by their hashes, in that order; all if there are no more.
  static int[] firstOf(BackendSet backends, int size, long seed) {
    return size >= backends.size()
        ? Members.all(backends.size())
        : Arrays.copyOf(ranked(backends, seed), size);
  }

  /// All indices in the order of the ids' hashes with that seed.
  static int[] ranked(BackendSet backends, long seed) {
    return IntStream.range(0, backends.size())
        .boxed()
        .sorted(
            Comparator.comparing(
                index -> XxHash64.of(backends.get(index).id(), seed), Long::compareUnsigned))
        .mapToInt(Integer::intValue)
        .toArray();
  }

  @Override
  public PickResult pick(PickContext context) {
    return backends.size() == 0
        ? NoBackend.EMPTY_SET
        : new Picked(backends, members.index(inner.select(members, members.size())));
  }

  @Override
  public void update(BackendSet next) {
    BackendSet before = members.among(backends);
    members.become(choice.apply(next));
    inner.update(before, members.among(next));
    backends = next;
  }
}
