package dev.herdlab.lab.report;

import java.util.ArrayList;
import java.util.List;

/// Maps values to pixels along one direction, and chooses round values to mark. Owner thread: any
/// (immutable).
///
/// @param scale of the values
/// @param low value at `from`
/// @param high value at `to`
/// @param from pixel
/// @param to pixel
record Axis(Scale scale, double low, double high, double from, double to) {
  /// How values are spread.
  enum Scale {
    LINEAR,
    LOGARITHMIC
  }

  /// From 0 to a round value at or above `high`.
  static Axis fromZero(double high, double from, double to) {
    double top = high > 0 ? high : 1;
    double step = step(top);
    return new Axis(Scale.LINEAR, 0, Math.ceil(top / step) * step, from, to);
  }

  double at(double value) {
    double share =
        scale == Scale.LINEAR
            ? (value - low) / (high - low)
            : Math.log(value / low) / Math.log(high / low);
    return from + Math.clamp(share, 0, 1) * (to - from);
  }

  /// Round values from low to high.
  List<Double> marks() {
    List<Double> marks = new ArrayList<>();
    if (scale == Scale.LINEAR) {
      double step = step(high);
      for (int i = 0; i * step <= high * 1.0001; i++) {
        marks.add(i * step);
      }
      return marks;
    }
    for (double power = Math.pow(10, Math.floor(Math.log10(low))); power <= high; power *= 10) {
      for (int digit : new int[] {1, 2, 5}) {
        double mark = power * digit;
        if (mark >= low * 0.9999 && mark <= high * 1.0001) {
          marks.add(mark);
        }
      }
    }
    return marks;
  }

  /// The round step that makes four to eight of them.
  private static double step(double high) {
    double power = Math.pow(10, Math.floor(Math.log10(high / 4)));
    for (int digit : new int[] {1, 2, 5}) {
      if (high / (power * digit) <= 6) {
        return power * digit;
      }
    }
    return power * 10;
  }
}
