package dev.herdlab.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

final class SnapshotTest {
  private final BackendSet ab = BackendSet.of(OneProxy.named("ab"));

  @Test
  void staysAsItWasTaken() {
    int[] counts = {3, 4};
    Snapshot snapshot = new Snapshot(5, ab, counts, 70);
    counts[0] = 9;

    assertThat(snapshot.count(0)).isEqualTo(3);
    assertThat(snapshot.number()).isEqualTo(5);
    assertThat(snapshot.truthNanos()).isEqualTo(70);
  }

  @Test
  void isACopyOfTheCountsOfItsInstant() {
    OneProxy proxy = new OneProxy(ab).install("round-robin", "local", 1);
    proxy.pick();
    Snapshot snapshot = proxy.truth.snapshot(2, 30);
    proxy.pick();

    assertThat(snapshot.count(0)).isEqualTo(1);
    assertThat(snapshot.count(1)).isZero();
    assertThat(snapshot.backends()).isSameAs(ab);
  }

  @Test
  void countsFollowTheirBackendsToAnotherSet() {
    Snapshot snapshot = new Snapshot(5, ab, new int[] {3, 4}, 70);
    Snapshot moved = snapshot.on(BackendSet.of(OneProxy.named("cb")));

    assertThat(moved.count(0)).isZero();
    assertThat(moved.count(1)).isEqualTo(4);
    assertThat(moved.number()).isEqualTo(5);
    assertThat(moved.truthNanos()).isEqualTo(70);
    assertThat(snapshot.on(ab)).isSameAs(snapshot);
  }

  @Test
  void demandsACountOfZeroOrMoreForEachBackend() {
    assertThatThrownBy(() -> new Snapshot(1, ab, new int[1], 0))
        .hasMessage("counts: 1 (expected: 2, one for each backend)");
    assertThatThrownBy(() -> new Snapshot(1, ab, new int[] {0, -1}, 0))
        .hasMessage("count of b: -1 (expected: >= 0)");
  }
}
