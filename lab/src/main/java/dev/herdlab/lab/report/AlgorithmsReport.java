package dev.herdlab.lab.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.Parameter;
import java.util.Locale;

/// The registry of algorithms as text and as the document `herdlab.algorithms/1`. Owner thread:
/// any.
public final class AlgorithmsReport {
  private AlgorithmsReport() {}

  /// For a program.
  public static String json(Algorithms algorithms) {
    ObjectNode root = Json.document("herdlab.algorithms/1");
    ArrayNode all = root.putArray("algorithms");
    for (Algorithm algorithm : algorithms.all()) {
      Algorithm.Description description = algorithm.description();
      ObjectNode one = all.addObject();
      one.put("name", description.name());
      one.put("summary", description.summary());
      ArrayNode parameters = one.putArray("parameters");
      for (Parameter parameter : description.parameters()) {
        boolean required = parameter.defaultValue().equals(Parameter.REQUIRED);
        ObjectNode json = parameters.addObject();
        json.put("name", parameter.name());
        json.put("accepts", parameter.kind().expected());
        json.put("required", required);
        if (!required) {
          json.put("default", parameter.defaultValue());
        }
        json.put("documentation", parameter.documentation());
      }
      one.put("cost", description.cost());
      one.put("state", description.state());
      ArrayNode sources = one.putArray("sources");
      description.sources().forEach(sources::add);
      ArrayNode deviations = one.putArray("deviations");
      description.deviations().forEach(deviations::add);
    }
    return Json.text(root);
  }

  /// For a person.
  public static String text(Algorithms algorithms) {
    StringBuilder out = new StringBuilder();
    for (Algorithm algorithm : algorithms.all()) {
      Algorithm.Description description = algorithm.description();
      out.append(description.name()).append('\n');
      append(out, "  ", plain(description.summary()));
      for (Parameter parameter : description.parameters()) {
        boolean required = parameter.defaultValue().equals(Parameter.REQUIRED);
        append(
            out,
            String.format(Locale.ROOT, "    %-12s ", parameter.name() + "="),
            plain(parameter.documentation())
                + " ["
                + parameter.kind().expected()
                + "]"
                + (required ? " (must be given)" : " (default: " + parameter.defaultValue() + ")"));
      }
      append(out, "  cost:   ", plain(description.cost()));
      append(out, "  state:  ", plain(description.state()));
      for (String source : description.sources()) {
        append(out, "  source: ", plain(source));
      }
      for (String deviation : description.deviations()) {
        append(out, "  differs from it: ", plain(deviation));
      }
      out.append('\n');
    }
    out.append("Written in an experiment as name or name(parameter=value,...), e.g. p2c(d=3).\n");
    return out.toString();
  }

  /// Without the marks of Markdown.
  private static String plain(String markdown) {
    return markdown.replace("`", "").replace("*", "");
  }

  private static void append(StringBuilder out, String start, String text) {
    String left = start;
    for (String part : TextLines.wrap(text, 100 - start.length())) {
      out.append(left).append(part).append('\n');
      left = " ".repeat(start.length());
    }
  }
}
