package dev.herdlab.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.herdlab.lab.result.SelftestResult;

/// What the self-test found, for people and for programs. Owner thread: any.
public final class SelftestReport {
  private SelftestReport() {}

  /// A paragraph for each check, and one line of summary.
  public static String text(SelftestResult result) {
    StringBuilder text = new StringBuilder();
    int passed = 0;
    for (SelftestResult.Check check : result.checks()) {
      text.append(check.passed() ? "PASS  " : "FAIL  ").append(check.name()).append('\n');
      text.append("      seeded:   ").append(check.seeded()).append('\n');
      text.append("      expected: ").append(check.expected()).append('\n');
      text.append("      found:    ").append(check.evidence()).append("\n\n");
      passed += check.passed() ? 1 : 0;
    }
    return text.append(passed)
        .append(" of ")
        .append(result.checks().size())
        .append(" checks passed\n")
        .toString();
  }

  /// The document `herdlab.selftest/1`.
  public static String json(SelftestResult result) {
    ObjectNode document = Json.document("herdlab.selftest/1");
    document.put("passed", result.passed());
    ArrayNode checks = document.putArray("checks");
    for (SelftestResult.Check check : result.checks()) {
      checks
          .addObject()
          .put("name", check.name())
          .put("seeded", check.seeded())
          .put("expected", check.expected())
          .put("passed", check.passed())
          .put("evidence", check.evidence());
    }
    return Json.text(document);
  }
}
