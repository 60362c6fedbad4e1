package dev.herdlab.simulator.study;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.algorithm.SmoothWeightedRoundRobin;
import dev.herdlab.simulator.Progress;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SequencedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// The study `smooth`: what smooth weighted round-robin does with a cycle of weights that the naive
/// way does not: no long runs, even gaps, and back where it began after each cycle.
///
/// Picks and values are the balancers' own. Runs and gaps are cyclic: the cycle repeats for ever.
///
/// Cost: O(n) a pick. Owner thread: any (immutable).
/// Source: nginx src/http/ngx_http_upstream_round_robin.c.
final class SmoothStudy implements Study {
  /// Cycles that are run, to see that each begins anew.
  private static final int CYCLES = 3;

  /// A bound on the sum of the weights, for time and memory.
  private static final long MAX_CYCLE = 1_000_000;

  /// How much of a sequence is shown.
  private static final int SHOWN_PICKS = 1_000;

  private static final List<Table.Column> COLUMNS =
      List.of(
          new Table.Column("algorithm", "which way"),
          new Table.Column("start", "values of the smooth one before the first pick"),
          new Table.Column("weights", "one for each backend: a, b, ..."),
          new Table.Column("cycle", "sum of the weights, picks"),
          new Table.Column("sequence", "the first cycle's picks"),
          new Table.Column("state_first", "values before the first pick; none for the naive way"),
          new Table.Column("state_after", "values after each of the cycles that were run"),
          new Table.Column("returns", "values and picks are the same in every cycle"),
          new Table.Column("longest_run", "picks of one backend in a row, at most; cyclic"),
          new Table.Column(
              "gap_min", "picks from one of the heaviest backend to its next, at least"),
          new Table.Column("gap_max", "the same, at most"),
          new Table.Column("gap_sd", "standard deviation of these gaps"));

  @Override
  public String name() {
    return "smooth";
  }

  @Override
  public String summary() {
    return "Smooth weighted round-robin against the naive way: runs, gaps, and the cycle's return.";
  }

  @Override
  public List<Setting> settings() {
    return List.of(
        Setting.list(
            "weights",
            new Setting.Type.Whole(1, Backend.MAX_WEIGHT),
            "5,1,1",
            "the backends' weights"));
  }

  @Override
  public StudyResult run(Settings settings, Progress progress) {
    List<Integer> weights = settings.wholes("weights").stream().map(Math::toIntExact).toList();
    long cycle = weights.stream().mapToLong(Integer::longValue).sum();
    if (cycle > MAX_CYCLE) {
      throw Settings.wrong("weights", "sum " + cycle, "a sum of at most " + MAX_CYCLE);
    }
    int[] theWeights = weights.stream().mapToInt(Integer::intValue).toArray();
    List<SequencedMap<String, Object>> rows =
        List.of(
            row("smooth-weighted-round-robin", "zero", theWeights),
            row("smooth-weighted-round-robin", "weights", theWeights),
            row("weighted-round-robin", "", theWeights));
    return StudyResult.of(
        new Table(COLUMNS, rows),
        List.of("Runs and gaps are cyclic; gaps are the heaviest backend's."));
  }

  private static SequencedMap<String, Object> row(String algorithm, String start, int[] weights) {
    int cycle = Arrays.stream(weights).sum();
    LoadBalancer balancer =
        balancer(start.isEmpty() ? algorithm : algorithm + "(start=" + start + ")", weights);
    String first = state(balancer);
    List<int[]> cycles = new ArrayList<>();
    List<String> after = new ArrayList<>();
    for (int i = 0; i < CYCLES; i++) {
      cycles.add(picks(balancer, cycle));
      after.add(state(balancer));
    }
    int[] sequence = cycles.getFirst();
    CyclicGaps gaps = CyclicGaps.of(sequence, heaviest(weights));
    return Table.row(
        "algorithm",
        algorithm,
        "start",
        start,
        "weights",
        spaced(Arrays.stream(weights).asLongStream()),
        "cycle",
        cycle,
        "sequence",
        letters(sequence, weights.length),
        "state_first",
        first,
        "state_after",
        first.isEmpty() ? "" : String.join("; ", after),
        "returns",
        after.stream().allMatch(first::equals)
            && cycles.stream().allMatch(picks -> Arrays.equals(picks, sequence)),
        "longest_run",
        longestRun(sequence),
        "gap_min",
        gaps.min(),
        "gap_max",
        gaps.max(),
        "gap_sd",
        gaps.deviation());
  }

  private static LoadBalancer balancer(String spec, int[] weights) {
    List<Backend> backends = new ArrayList<>();
    for (int i = 0; i < weights.length; i++) {
      backends.add(new Backend("b" + i, weights[i]));
    }
    Ports ports =
        new Ports(() -> 0, SeededRandom.of(0, "coins", 0), (delay, task) -> {}, index -> {});
    // These two look at no loads.
    return Algorithms.builtIn()
        .parse(spec, Studies.UNIT_NANOS)
        .create(BackendSet.of(backends), index -> 0, ports);
  }

  private static int[] picks(LoadBalancer balancer, int count) {
    int[] picks = new int[count];
    for (int i = 0; i < count; i++) {
      picks[i] = ((Picked) balancer.pick(PickContext.PLAIN)).index();
    }
    return picks;
  }

  /// The smooth one's values; empty for the naive one.
  private static String state(LoadBalancer balancer) {
    return balancer instanceof SmoothWeightedRoundRobin smooth
        ? spaced(Arrays.stream(smooth.state()))
        : "";
  }

  private static int heaviest(int[] weights) {
    int heaviest = 0;
    for (int i = 1; i < weights.length; i++) {
      heaviest = weights[i] > weights[heaviest] ? i : heaviest;
    }
    return heaviest;
  }

  /// The longest run in the sequence repeated for ever; its length if it is all one.
  static int longestRun(int[] sequence) {
    int longest = 0;
    int run = 0;
    for (int i = 0; i < 2 * sequence.length; i++) {
      boolean same = i > 0 && sequence[i % sequence.length] == sequence[(i - 1) % sequence.length];
      run = same ? run + 1 : 1;
      longest = Math.max(longest, run);
    }
    return Math.min(longest, sequence.length);
  }

  /// The distances from each pick of one backend to its next, in a sequence repeated for ever.
  record CyclicGaps(int min, int max, double deviation) {
    static CyclicGaps of(int[] sequence, int backend) {
      int[] at = IntStream.range(0, sequence.length).filter(i -> sequence[i] == backend).toArray();
      int min = Integer.MAX_VALUE;
      int max = 0;
      double squares = 0;
      double mean = (double) sequence.length / at.length;
      for (int i = 0; i < at.length; i++) {
        int next = i + 1 < at.length ? at[i + 1] : at[0] + sequence.length;
        int gap = next - at[i];
        min = Math.min(min, gap);
        max = Math.max(max, gap);
        squares += (gap - mean) * (gap - mean);
      }
      return new CyclicGaps(min, max, StrictMath.sqrt(squares / at.length));
    }
  }

  private static String spaced(LongStream values) {
    return values.mapToObj(Long::toString).collect(Collectors.joining(" "));
  }

  /// As letters while there are enough of them, as indices otherwise; the first [#SHOWN_PICKS].
  private static String letters(int[] sequence, int backends) {
    String shown =
        Arrays.stream(sequence)
            .limit(SHOWN_PICKS)
            .mapToObj(i -> backends <= 26 ? Character.toString('a' + i) : Integer.toString(i))
            .collect(Collectors.joining(" "));
    return sequence.length <= SHOWN_PICKS ? shown : shown + " ...";
  }
}
