package dev.herdlab.lab.report;

import java.util.List;

/// An HTML table. Cells are HTML already; text goes through [Svg#escape]. Owner thread: its
/// creator's.
final class HtmlTable {
  private final StringBuilder html = new StringBuilder("<div class=\"scroll\"><table>");

  HtmlTable(List<String> headings) {
    html.append("<thead><tr>");
    headings.forEach(heading -> html.append("<th>").append(heading).append("</th>"));
    html.append("</tr></thead><tbody>");
  }

  /// Whether a line is drawn below a row.
  enum Rule {
    NONE,
    BELOW
  }

  HtmlTable row(List<String> cells) {
    return row(Rule.BELOW, cells);
  }

  HtmlTable row(Rule rule, List<String> cells) {
    html.append(rule == Rule.BELOW ? "<tr class=\"rule\">" : "<tr>");
    cells.forEach(cell -> html.append("<td>").append(cell).append("</td>"));
    html.append("</tr>\n");
    return this;
  }

  String close() {
    return html.append("</tbody></table></div>\n").toString();
  }
}
