package dev.herdlab.balancer.algorithm;

/// Weighted round-robin without a queue (static stride): a counter walks over the backends again
/// and again, and each is taken in so many of its rounds as its weight's share of the largest says,
/// evenly spread.
///
/// Weights are scaled to 16 bits; an unknown one (0) counts as the mean of the others; with fewer
/// than two known, or all alike, it is plain round-robin.
///
/// Cost: at most n steps a pick, since the heaviest backend is taken in every round, and as many as
/// the largest weight is to the mean one on average; [#set] O(n), nothing is allocated. Owner
/// thread: its balancer's.
/// Source: grpc-go balancer/weightedroundrobin/scheduler.go (commit 4793ad0); gRPC C-core
/// static_stride_scheduler.cc (commit 0723509), which also clamps weights: above at 10 times the
/// mean, below at a hundredth of it.
final class StrideSchedule {
  private static final int MAX_WEIGHT = 0xFFFF;
  private static final long OFFSET = MAX_WEIGHT / 2;
  private static final double MAX_RATIO = 10;
  private static final double MIN_RATIO = 0.01;

  private final Range range;

  private int[] weights = new int[0];
  private boolean plain = true;
  private int counter;

  /// Whether weights far from the mean are clamped.
  enum Range {
    FREE,
    CLAMPED
  }

  /// @param first the counter's first value, 32 bits unsigned
  StrideSchedule(Range range, int first) {
    this.range = range;
    this.counter = first;
  }

  /// Replaces the weights; the counter goes on.
  ///
  /// @param known above 0, or 0 for unknown; not kept
  /// @param size how many of them count
  void set(double[] known, int size) {
    double sum = 0;
    double max = 0;
    int unknown = 0;
    for (int i = 0; i < size; i++) {
      sum += known[i];
      max = Math.max(max, known[i]);
      unknown += known[i] == 0 ? 1 : 0;
    }
    if (weights.length != size) {
      weights = new int[size];
    }
    plain = unknown >= size - 1 || scale(known, size, sum / (size - unknown), max);
  }

  /// Scales the weights to 16 bits; true if all are alike then.
  private boolean scale(double[] known, int size, double knownMean, double knownMax) {
    boolean clamped = range == Range.CLAMPED;
    double max = clamped ? Math.min(knownMax, MAX_RATIO * knownMean) : knownMax;
    double scale = MAX_WEIGHT / max;
    int mean = (int) Math.round(scale * knownMean);
    int min = clamped ? Math.max(1, (int) Math.round(mean * MIN_RATIO)) : 0;
    boolean alike = true;
    for (int i = 0; i < size; i++) {
      weights[i] =
          known[i] == 0 ? mean : Math.max(min, (int) Math.round(scale * Math.min(known[i], max)));
      alike &= weights[i] == mean;
    }
    return alike;
  }

  /// Index of the next backend; there must be one.
  int next() {
    while (true) {
      long sequence = Integer.toUnsignedLong(counter);
      counter++;
      int index = (int) (sequence % weights.length);
      if (plain) {
        return index;
      }
      long round = sequence / weights.length;
      long weight = weights[index];
      if ((weight * round + index * OFFSET) % MAX_WEIGHT >= MAX_WEIGHT - weight) {
        return index;
      }
    }
  }
}
