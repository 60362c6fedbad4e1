package dev.herdlab.simulator.study;

import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.simulator.Parallel;
import dev.herdlab.simulator.Progress;
import java.util.ArrayList;
import java.util.List;
import java.util.SequencedMap;

/// The study `bins`: n balls into n bins, each into a random bin, or into the emptier of two random
/// ones.
///
/// The fullest bin grows as ln n / ln ln n with one choice, and only as ln ln n / ln 2 with two:
/// the second choice is worth more than any number that follow. Both formulas are the leading
/// terms; a constant is left out. The rule is that of `p2c`: two draws with replacement, the first
/// wins ties. There is no time in it, and so no herding index.
///
/// Cost: about 20 ns a ball while the bins fit the cache; 4 bytes a bin. Owner thread: any
/// (immutable).
/// Source: Azar, Broder, Karlin and Upfal, "Balanced Allocations", SIAM J. Comput. 29(1), 1999.
final class BinsStudy implements Study {
  private static final List<Table.Column> COLUMNS =
      List.of(
          new Table.Column("n", "number of balls, and of bins"),
          new Table.Column("runs", "number of runs averaged"),
          new Table.Column("one_choice", "mean fullest bin with one random choice"),
          new Table.Column("one_choice_theory", "ln n / ln ln n"),
          new Table.Column("two_choices", "mean fullest bin with the emptier of two"),
          new Table.Column("two_choices_theory", "ln ln n / ln 2"));

  @Override
  public String name() {
    return "bins";
  }

  @Override
  public String summary() {
    return "Balls into bins: one random choice against the emptier of two.";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        Setting.list(
            "n",
            new Setting.Type.Whole(3, 100_000_000),
            "100,1000,10000,100000,1000000",
            "numbers of balls, each into as many bins"),
        Setting.whole("runs", 1, 10_000, "15", "runs for each number"),
        Setting.whole("seed", 0, Long.MAX_VALUE, "0", "source of all randomness"));
  }

  private record Throw(int n, long seed, int run) {}

  private record Fullest(int oneChoice, int twoChoices) {}

  @Override
  public StudyResult run(Settings settings, Progress progress) {
    int runs = settings.whole("runs");
    long seed = settings.wholes("seed").getFirst();
    List<Throw> all = new ArrayList<>();
    for (long n : settings.wholes("n")) {
      for (int run = 0; run < runs; run++) {
        all.add(new Throw(Math.toIntExact(n), seed, run));
      }
    }
    List<Fullest> fullest = Parallel.map(all, BinsStudy::fullest, progress);
    List<SequencedMap<String, Object>> rows = new ArrayList<>();
    for (int from = 0; from < all.size(); from += runs) {
      rows.add(row(all.get(from).n(), fullest.subList(from, from + runs)));
    }
    return StudyResult.of(
        new Table(COLUMNS, rows),
        List.of("The formulas are leading terms: a constant is left out."));
  }

  private static SequencedMap<String, Object> row(int n, List<Fullest> runs) {
    double logN = StrictMath.log(n);
    double logLogN = StrictMath.log(logN);
    return Table.row(
        "n",
        n,
        "runs",
        runs.size(),
        "one_choice",
        runs.stream().mapToInt(Fullest::oneChoice).average().orElseThrow(),
        "one_choice_theory",
        logN / logLogN,
        "two_choices",
        runs.stream().mapToInt(Fullest::twoChoices).average().orElseThrow(),
        "two_choices_theory",
        logLogN / StrictMath.log(2));
  }

  private static Fullest fullest(Throw balls) {
    int n = balls.n();
    Ports.RandomSource one = SeededRandom.of(balls.seed(), "bins-one-" + n, balls.run());
    Ports.RandomSource two = SeededRandom.of(balls.seed(), "bins-two-" + n, balls.run());
    return new Fullest(oneChoice(n, one), twoChoices(n, two));
  }

  private static int oneChoice(int n, Ports.RandomSource random) {
    int[] bins = new int[n];
    int fullest = 0;
    for (int ball = 0; ball < n; ball++) {
      fullest = Math.max(fullest, ++bins[random.below(n)]);
    }
    return fullest;
  }

  private static int twoChoices(int n, Ports.RandomSource random) {
    int[] bins = new int[n];
    int fullest = 0;
    for (int ball = 0; ball < n; ball++) {
      int first = random.below(n);
      int second = random.below(n);
      fullest = Math.max(fullest, ++bins[bins[second] < bins[first] ? second : first]);
    }
    return fullest;
  }
}
