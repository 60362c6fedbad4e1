package dev.herdlab.lab.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.EnumSource.Mode;

class SeriesTest {
  private static Declaration declaration(Declaration.Kind kind) {
    String name = kind == Declaration.Kind.COUNTER ? "herdlab_x_total" : "herdlab_x";
    return new Declaration(name, kind, "things", List.of("a", "b"), "Some things.");
  }

  private final MetricsRegistry registry = new MetricsRegistry();

  private List<String> shown() throws Exception {
    try (MetricsServer server = MetricsServer.start("127.0.0.1:0", registry)) {
      return List.copyOf(Scrape.text(server).series().keySet());
    }
  }

  @ParameterizedTest
  @EnumSource(mode = Mode.EXCLUDE, names = "HISTOGRAM")
  void goWhenNobodySetsThemAnyMore(Declaration.Kind kind) throws Exception {
    Declaration declaration = declaration(kind);
    Series series = registry.series(declaration);
    series.set(1, "p", "q");
    series.set(2, "p", "r");
    series.keepTouched();
    assertThat(shown())
        .containsExactly(
            declaration.name() + "{a=\"p\",b=\"q\"}", declaration.name() + "{a=\"p\",b=\"r\"}");

    series.set(3, "p", "r");
    series.keepTouched();
    assertThat(shown()).containsExactly(declaration.name() + "{a=\"p\",b=\"r\"}");

    series.removeIf(labels -> labels.getFirst().equals("p"));
    assertThat(shown()).isEmpty();
  }

  @Test
  void stayWhileTheirLabelsAreAlive() throws Exception {
    Series series = registry.series(declaration(Declaration.Kind.COUNTER));
    series.add(1, "p", "q");
    series.add(2, "r", "q");
    series.keep(labels -> labels.getFirst().equals("p"));
    series.keep(labels -> labels.getFirst().equals("p"));

    assertThat(shown()).containsExactly("herdlab_x_total{a=\"p\",b=\"q\"}");
  }

  @Test
  void outliveWhoeverSetThem() throws Exception {
    registry.series(declaration(Declaration.Kind.GAUGE)).set(7, "p", "q");
    collectGarbage();

    try (MetricsServer server = MetricsServer.start("127.0.0.1:0", registry)) {
      assertThat(Scrape.text(server).series()).containsEntry("herdlab_x{a=\"p\",b=\"q\"}", 7.0);
    }
  }

  /// Until something that nobody holds is gone.
  private static void collectGarbage() {
    WeakReference<Object> garbage = new WeakReference<>(new Object());
    for (int i = 0; i < 100 && garbage.get() != null; i++) {
      System.gc();
    }
    assertThat(garbage.get()).isNull();
  }

  @Test
  void refuseAnotherNumberOfLabels() {
    Series series = registry.series(declaration(Declaration.Kind.GAUGE));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> series.set(1, "p"))
        .withMessage("labels: [p] (expected: [a, b], of herdlab_x)");
  }

  @Test
  void namesBeyondTheLimitShareOne() {
    Names names = new Names();
    for (int i = 1; i < Names.LIMIT; i++) {
      assertThat(names.name(names.number("backend-" + i))).isEqualTo("backend-" + i);
    }
    assertThat(names.name(names.number("one more"))).isEqualTo("other");
    assertThat(names.number("backend-1")).isEqualTo(1);
  }

  @Test
  void pairsBeyondTheLimitMakeTheOldestGo() {
    List<Pair> gone = new java.util.ArrayList<>();
    RecentPairs pairs = new RecentPairs(gone::add);
    for (int i = 0; i < RecentPairs.LIMIT; i++) {
      pairs.use(new Pair("p2c", "view-" + i));
    }
    pairs.use(new Pair("p2c", "view-0"));
    assertThat(gone).isEmpty();
    pairs.use(new Pair("p2c", "new"));

    assertThat(gone).containsExactly(new Pair("p2c", "view-1"));
    assertThat(pairs.has(new Pair("p2c", "view-0"))).isTrue();
    assertThat(pairs.has(new Pair("p2c", "view-1"))).isFalse();
  }
}
