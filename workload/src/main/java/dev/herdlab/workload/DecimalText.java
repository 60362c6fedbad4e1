package dev.herdlab.workload;

import java.util.regex.Pattern;

/// A number as people write it, in specs, settings and files of samples: decimal digits with a
/// point and an exponent, or without.
///
/// Java's own reader also takes `0.8f`, hexadecimal, `NaN` and `Infinity`, which are slips here.
/// Owner thread: any.
public final class DecimalText {
  private static final Pattern FORM =
      Pattern.compile("[+-]?([0-9]+\\.?[0-9]*|\\.[0-9]+)([eE][+-]?[0-9]+)?");

  private DecimalText() {}

  /// The number, infinite if it is too large; NaN if the text is none.
  public static double read(String text) {
    return FORM.matcher(text).matches() ? Double.parseDouble(text) : Double.NaN;
  }
}
