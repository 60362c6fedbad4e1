package dev.herdlab.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class BackendSetTest {
  @Test
  void namesBackendsByIndex() {
    BackendSet set = BackendSet.ofSize(3);

    assertThat(set.size()).isEqualTo(3);
    assertThat(set.get(2)).isEqualTo(new Backend("b2", 1));
    assertThat(set.indexOf("b1")).isEqualTo(1);
    assertThat(set.indexOf("b3")).isEqualTo(-1);
  }

  @Test
  void nextSetHasTheNextVersion() {
    BackendSet set = BackendSet.ofSize(3);

    assertThat(set.version()).isEqualTo(1);
    assertThat(set.next(List.of()).next(List.of()).version()).isEqualTo(3);
  }

  @Test
  void doesNotChangeWithTheListItWasMadeFrom() {
    List<Backend> list = new ArrayList<>(OneProxy.named("ab"));
    BackendSet set = BackendSet.of(list);
    list.clear();

    assertThat(set.size()).isEqualTo(2);
  }

  @Test
  void refusesTwoBackendsOfOneName() {
    assertThatThrownBy(() -> BackendSet.of(OneProxy.named("aba")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("backends: a twice (expected: unique ids)");
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, 65_536})
  void refusesAWeightOutsideItsRange(int weight) {
    assertThatThrownBy(() -> new Backend("a", weight))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("weight: " + weight + " (expected: 1 to 65535)");
  }

  @Test
  void refusesABackendWithoutAName() {
    assertThatThrownBy(() -> Backend.of("")).hasMessage("id: empty (expected: a name)");
  }

  @Test
  void cursorGoesToTheNextSurvivorRoundTheEnd() {
    BackendSet abcd = BackendSet.of(OneProxy.named("abcd"));
    BackendSet xab = abcd.next(OneProxy.named("xab"));

    assertThat(abcd.survivorFrom(1, xab)).isEqualTo(2); // b itself
    assertThat(abcd.survivorFrom(2, xab)).isEqualTo(1); // c and d left: a
    assertThat(abcd.survivorFrom(0, abcd.next(List.of()))).isEqualTo(-1);
  }
}
