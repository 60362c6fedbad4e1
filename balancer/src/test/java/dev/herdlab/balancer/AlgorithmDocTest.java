package dev.herdlab.balancer;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/// `docs/algorithms.md` is written from the registry, so that it cannot fall behind; rewritten only
/// with `-Dgolden.update=true`.
final class AlgorithmDocTest {
  private static final Path FILE = Path.of("..", "docs", "algorithms.md");

  @Test
  void documentShowsTheRegistryAsItIs() throws IOException {
    String document = document();
    if (Boolean.getBoolean("golden.update")) {
      Files.writeString(FILE, document);
    }

    assertThat(Files.readString(FILE))
        .as("docs/algorithms.md; rewrite it with: mvn -pl balancer test -Dgolden.update=true")
        .isEqualTo(document);
  }

  @Test
  void everyBuiltInAlgorithmSaysWhereItComesFrom() {
    for (Algorithm algorithm : Algorithms.builtIn().all()) {
      Algorithm.Description description = algorithm.description();
      assertThat(description.summary()).isNotBlank().endsWith(".");
      assertThat(description.cost()).startsWith("O(");
      assertThat(description.state()).isNotBlank();
      assertThat(description.sources()).isNotEmpty();
      assertThat(description.parameters()).noneMatch(p -> p.documentation().isBlank());
    }
  }

  private static String document() {
    StringBuilder out = new StringBuilder();
    out.append(
        """
        # Algorithms and views

        Written from the registry by `AlgorithmDocTest`; do not edit. `./herdlab algorithms` prints the
        same, plug-ins included. A spec is a name, with parameters in parentheses where the defaults
        will not do: `p2c`, `p2c(d=3,draws=distinct)`. Durations are written `10s`, `5ms`, `20us`, or
        in units: `4u`, or just `4`. In costs, n is the number of backends.

        ## Algorithms
        """);
    for (Algorithm algorithm : Algorithms.builtIn().all()) {
      append(out, algorithm.description());
    }
    out.append(
        """

        ## Views

        What a balancer knows of the loads. In flight is from the pick, so a request that waits for
        a connection counts.

        - `local`: what the proxy itself has in flight, and no more.
        - `shared`: the true counts, over all proxies, as they are now. An oracle: possible only
          where all proxies run on one loop.
        - `reported`: what each backend said of itself in its last load report to this proxy, 0 before
          the first; backends then report with each response.
        - `shared-stale`: a copy of the true counts, zeros before the first.

        """);
    appendTable(out, ViewSpec.STALE_PARAMETERS);
    return out.toString();
  }

  private static void append(StringBuilder out, Algorithm.Description description) {
    out.append("\n### `").append(description.name()).append("`\n\n");
    out.append(description.summary()).append("\n\n");
    if (!description.parameters().isEmpty()) {
      appendTable(out, description.parameters());
      out.append('\n');
    }
    out.append("- Cost of a pick: ").append(description.cost()).append(".\n");
    out.append("- Remembers: ").append(description.state()).append(".\n");
    description.sources().forEach(source -> out.append("- Source: ").append(source).append(".\n"));
    description.deviations().forEach(line -> out.append("- Deviation: ").append(line).append('\n'));
  }

  private static void appendTable(StringBuilder out, List<Parameter> parameters) {
    out.append("| parameter | accepts | default | meaning |\n|-|-|-|-|\n");
    for (Parameter parameter : parameters) {
      String defaultValue =
          parameter.isRequired() ? "none, required" : "`" + parameter.defaultValue() + "`";
      out.append(
          "| `%s` | %s | %s | %s |\n"
              .formatted(
                  parameter.name(),
                  parameter.kind().expected(),
                  defaultValue,
                  parameter.documentation()));
    }
  }
}
