package dev.herdlab.lab.report;

import java.util.Locale;

/// A small writer of SVG: shapes with a class each, whose colours the page's style sheet gives.
///
/// Coordinates are pixels. Owner thread: its creator's.
final class Svg {
  private final StringBuilder out = new StringBuilder();

  /// Where text stands at its point.
  enum Anchor {
    START,
    MIDDLE,
    END
  }

  /// @param title what the picture shows, for those who cannot see it
  Svg(double width, double height, String title) {
    out.append(
        String.format(
            Locale.ROOT,
            "<svg viewBox=\"0 0 %s %s\" width=\"%s\" height=\"%s\" role=\"img\"><title>%s</title>",
            number(width),
            number(height),
            number(width),
            number(height),
            escape(title)));
  }

  Svg line(String style, double x1, double y1, double x2, double y2) {
    return element(
        "line", style, "x1", number(x1), "y1", number(y1), "x2", number(x2), "y2", number(y2));
  }

  Svg circle(String style, double x, double y, double radius) {
    return element("circle", style, "cx", number(x), "cy", number(y), "r", number(radius));
  }

  Svg rect(String style, double x, double y, double width, double height) {
    return element(
        "rect",
        style,
        "x",
        number(x),
        "y",
        number(y),
        "width",
        number(Math.max(0, width)),
        "height",
        number(height));
  }

  /// A line through `points`, x and y in turn.
  Svg path(String style, double[] points) {
    StringBuilder data = new StringBuilder();
    for (int i = 0; i + 1 < points.length; i += 2) {
      data.append(i == 0 ? 'M' : 'L')
          .append(number(points[i]))
          .append(' ')
          .append(number(points[i + 1]));
    }
    return element("path", style, "d", data.toString());
  }

  Svg text(String style, double x, double y, Anchor anchor, String text) {
    out.append(
        String.format(
            Locale.ROOT,
            "<text class=\"%s\" x=\"%s\" y=\"%s\" text-anchor=\"%s\">%s</text>",
            style,
            number(x),
            number(y),
            anchor.name().toLowerCase(Locale.ROOT),
            escape(text)));
    return this;
  }

  private Svg element(String name, String style, String... attributes) {
    out.append('<').append(name).append(" class=\"").append(style).append('"');
    for (int i = 0; i < attributes.length; i += 2) {
      out.append(' ').append(attributes[i]).append("=\"").append(attributes[i + 1]).append('"');
    }
    out.append("/>");
    return this;
  }

  String close() {
    return out.append("</svg>").toString();
  }

  private static String number(double value) {
    return value == Math.rint(value)
        ? String.valueOf((long) value)
        : String.format(Locale.ROOT, "%.1f", value);
  }

  /// Text as it may stand in XML and HTML, attributes included.
  static String escape(String text) {
    return text.replace("&", "&amp;")
        .replace("<", "&lt;")
        .replace(">", "&gt;")
        .replace("\"", "&quot;");
  }
}
