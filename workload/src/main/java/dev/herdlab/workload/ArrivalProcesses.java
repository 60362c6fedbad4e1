package dev.herdlab.workload;

import dev.herdlab.workload.Spec.Range;

/// The arrival processes that a spec can name. Times inside are doubles of nanoseconds: exact to
/// half a nanosecond over 52 days.
final class ArrivalProcesses {
  private ArrivalProcesses() {}

  static ArrivalProcess parse(String text, double arrivalsPerUnit, long unitNanos) {
    if (!(arrivalsPerUnit > 0) || Double.isInfinite(arrivalsPerUnit)) {
      throw new IllegalArgumentException(
          "arrivals per unit: " + arrivalsPerUnit + " (expected: > 0)");
    }
    if (unitNanos <= 0) {
      throw new IllegalArgumentException("unit: " + unitNanos + " ns (expected: > 0)");
    }
    Spec spec = new Spec("arrivals", text);
    double gapNanos = unitNanos / arrivalsPerUnit;
    ArrivalProcess process =
        switch (spec.name()) {
          case "poisson" -> new Poisson(gapNanos);
          case "constant" -> new Constant(gapNanos);
          case "ramp" -> ramp(spec, gapNanos, unitNanos);
          case "bursty" -> bursty(spec, gapNanos, unitNanos);
          case "recorded" -> new Recorded(SampleFile.read(spec, gapNanos));
          default -> throw spec.unknownName("poisson, constant, ramp, bursty or recorded");
        };
    spec.end();
    return process;
  }

  private static Ramp ramp(Spec spec, double gapNanos, long unitNanos) {
    double from = spec.number("from", 0.5, Range.AT_LEAST_ZERO);
    double to = spec.number("to", 1.5, Range.ABOVE_ZERO);
    double over = spec.number("over", Range.ABOVE_ZERO);
    return new Ramp(from / gapNanos, to / gapNanos, over * unitNanos);
  }

  static String absolute(String text) {
    Spec spec = new Spec("arrivals", text);
    return spec.name().equals("recorded") ? spec.withAbsoluteFile() : text;
  }

  private static Bursty bursty(Spec spec, double gapNanos, long unitNanos) {
    double ratio = spec.number("ratio", 4, Range.ABOVE_ZERO);
    if (ratio < 1) {
      throw spec.error("ratio", "a number >= 1");
    }
    double busy = spec.number("busy", 20, Range.ABOVE_ZERO);
    double quiet = spec.number("quiet", 60, Range.ABOVE_ZERO);
    double quietGapNanos = gapNanos * (ratio * busy + quiet) / (busy + quiet);
    return new Bursty(quietGapNanos / ratio, quietGapNanos, busy * unitNanos, quiet * unitNanos);
  }

  private static long after(long previousNanos, double gapNanos) {
    // At least one nanosecond, so that no two arrivals share an instant.
    return Math.addExact(previousNanos, Math.max(1, Math.round(gapNanos)));
  }

  /// Independent exponential gaps.
  record Poisson(double gapNanos) implements ArrivalProcess {
    @Override
    public long nextNanos(long previousNanos, RandomStream random) {
      return after(previousNanos, gapNanos * random.exponential());
    }
  }

  /// Arrival i at i times the gap, rounded once: no error adds up. Draws nothing.
  record Constant(double gapNanos) implements ArrivalProcess {
    @Override
    public long nextNanos(long previousNanos, RandomStream random) {
      double number = Math.rint(previousNanos / gapNanos);
      return after(previousNanos, (number + 1) * gapNanos - previousNanos);
    }
  }

  /// Poisson of a rate that goes in a line from one value to another and stays there.
  ///
  /// By exact inversion of the integrated rate: the next arrival is where the integral from the
  /// previous one reaches an exponential draw.
  record Ramp(double fromPerNano, double toPerNano, double overNanos) implements ArrivalProcess {
    @Override
    public long nextNanos(long previousNanos, RandomStream random) {
      return after(previousNanos, gapNanos((double) previousNanos, random.exponential()));
    }

    private double gapNanos(double previousNanos, double area) {
      double left = Math.max(0, overNanos - previousNanos);
      double slope = (toPerNano - fromPerNano) / overNanos;
      double rate = toPerNano - slope * left;
      double areaLeft = (rate + toPerNano) / 2 * left;
      if (area >= areaLeft) {
        return left + (area - areaLeft) / toPerNano;
      }
      // The root of slope/2 x^2 + rate x = area, in the form that does not cancel. The divisor is
      // above 0: a rate of 0 has a rising slope before it, and an area of 0 then gives 0 / 0 only
      // if written so.
      return area <= 0 ? 0 : 2 * area / (rate + Math.sqrt(rate * rate + 2 * slope * area));
    }
  }

  /// Poisson of two rates that take turns.
  ///
  /// Source: Heffes and Lucantoni, "A Markov Modulated Characterization of Packetized Voice and
  /// Data Traffic", IEEE JSAC 4(6), 1986.
  record Bursty(double busyGapNanos, double quietGapNanos, double busyNanos, double quietNanos)
      implements ArrivalProcess {
    @Override
    public ArrivalProcess begin() {
      return new Turns(this);
    }

    @Override
    public long nextNanos(long previousNanos, RandomStream random) {
      throw new IllegalStateException("bursty arrivals: not begun (expected: begin first)");
    }
  }

  /// Bursty arrivals of one trace. Owner thread: its trace's.
  private static final class Turns implements ArrivalProcess {
    private final Bursty law;
    private boolean begun;
    private boolean busy;
    private double untilNanos;

    private Turns(Bursty law) {
      this.law = law;
    }

    @Override
    public long nextNanos(long previousNanos, RandomStream random) {
      if (!begun) {
        begun = true;
        busy = random.unit() * (law.busyNanos + law.quietNanos) < law.busyNanos;
        untilNanos = lengthNanos(random);
      }
      double gaps = random.exponential();
      double fromNanos = previousNanos;
      // As many mean gaps as are left of the draw, at the rate of each turn.
      while (fromNanos + gaps * gapNanos() > untilNanos) {
        gaps -= Math.max(0, untilNanos - fromNanos) / gapNanos();
        fromNanos = Math.max(fromNanos, untilNanos);
        busy = !busy;
        untilNanos += lengthNanos(random);
      }
      return after(previousNanos, fromNanos + gaps * gapNanos() - previousNanos);
    }

    private double gapNanos() {
      return busy ? law.busyGapNanos : law.quietGapNanos;
    }

    private double lengthNanos(RandomStream random) {
      return (busy ? law.busyNanos : law.quietNanos) * random.exponential();
    }
  }

  /// The gaps of a file, in their order, over and over; draws nothing.
  private static final class Recorded implements ArrivalProcess {
    private final double[] gapsNanos;

    private Recorded(double[] gapsNanos) {
      this.gapsNanos = gapsNanos;
    }

    @Override
    public ArrivalProcess begin() {
      return new Playback(gapsNanos);
    }

    @Override
    public long nextNanos(long previousNanos, RandomStream random) {
      throw new IllegalStateException("recorded arrivals: not begun (expected: begin first)");
    }
  }

  /// Recorded arrivals of one trace. Owner thread: its trace's.
  private static final class Playback implements ArrivalProcess {
    private final double[] gapsNanos;
    private int next;
    // Of the sum of gaps, so that no rounding adds up.
    private double atNanos;

    private Playback(double[] gapsNanos) {
      this.gapsNanos = gapsNanos;
    }

    @Override
    public long nextNanos(long previousNanos, RandomStream random) {
      atNanos += gapsNanos[next];
      next = next + 1 == gapsNanos.length ? 0 : next + 1;
      return after(previousNanos, atNanos - previousNanos);
    }
  }
}
