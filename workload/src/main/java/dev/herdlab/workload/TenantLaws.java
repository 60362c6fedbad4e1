package dev.herdlab.workload;

import dev.herdlab.workload.Spec.Range;

/// The laws of tenants that a spec can name.
final class TenantLaws {
  private TenantLaws() {}

  static TenantLaw parse(String text) {
    Spec spec = new Spec("tenants", text);
    TenantLaw law =
        switch (spec.name()) {
          case "none" -> TenantLaw.NONE;
          case "uniform" -> new Uniform(count(spec));
          case "zipf" -> Zipf.of(count(spec), spec.number("s", 1, Range.AT_LEAST_ZERO));
          case "sessions" -> new Sessions(count(spec), 1 / requests(spec));
          default ->
              throw spec.unknownName(
                  "none, uniform(n=1000), zipf(n=1000,s=1) or sessions(n=500,requests=20)");
        };
    spec.end();
    return law;
  }

  private static int count(Spec spec) {
    double count = spec.number("n", 1000, Range.ABOVE_ZERO);
    if (count != Math.rint(count) || count > TenantLaw.MAX_TENANTS) {
      throw spec.error("n", "a whole number from 1 to " + TenantLaw.MAX_TENANTS);
    }
    return (int) count;
  }

  private static double requests(Spec spec) {
    double requests = spec.number("requests", 20, Range.ABOVE_ZERO);
    if (requests < 1) {
      throw spec.error("requests", "a number from 1 on");
    }
    return requests;
  }

  /// Sessions that end, and are followed by new ones.
  ///
  /// @param live how many at a time
  /// @param ends probability that a request is its session's last
  record Sessions(int live, double ends) implements TenantLaw {
    @Override
    public TenantLaw begin() {
      return new LiveSessions(this);
    }

    @Override
    public int next(RandomStream random) {
      throw new IllegalStateException("sessions: not begun (expected: begin)");
    }
  }

  /// The sessions of one trace, numbered in the order of their beginning. Two draws a request.
  /// Owner thread: its trace's.
  private static final class LiveSessions implements TenantLaw {
    private final double ends;
    private final int[] live;
    private int last;

    LiveSessions(Sessions law) {
      ends = law.ends();
      live = new int[law.live()];
      for (int i = 0; i < live.length; i++) {
        live[i] = ++last;
      }
    }

    @Override
    public int next(RandomStream random) {
      int place = random.below(live.length);
      int session = live[place];
      if (random.unit() < ends) {
        live[place] = ++last;
      }
      return session;
    }
  }

  /// One draw.
  record Uniform(int count) implements TenantLaw {
    @Override
    public int next(RandomStream random) {
      return 1 + random.below(count);
    }
  }

  /// One uniform, looked up in the table of the distribution function.
  ///
  /// Source: Zipf, "Human Behavior and the Principle of Least Effort", 1949; sampled by inversion.
  static final class Zipf implements TenantLaw {
    // The probability of a tenant up to i + 1; the last one is 1.
    private final double[] upTo;

    private Zipf(double[] upTo) {
      this.upTo = upTo;
    }

    static Zipf of(int count, double exponent) {
      double[] sums = new double[count];
      double sum = 0;
      for (int i = 0; i < count; i++) {
        sum += StrictMath.pow(i + 1.0, -exponent);
        sums[i] = sum;
      }
      for (int i = 0; i < count; i++) {
        sums[i] /= sum;
      }
      return new Zipf(sums);
    }

    /// The first tenant whose sum is above the uniform; the last sum is, since that is below 1.
    @Override
    public int next(RandomStream random) {
      double uniform = random.unit();
      int low = 0;
      int high = upTo.length - 1;
      while (low < high) {
        int middle = (low + high) >>> 1;
        if (upTo[middle] > uniform) {
          high = middle;
        } else {
          low = middle + 1;
        }
      }
      return low + 1;
    }
  }
}
