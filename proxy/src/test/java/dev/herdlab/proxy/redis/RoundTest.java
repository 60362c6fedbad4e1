package dev.herdlab.proxy.redis;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Snapshot;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class RoundTest {
  private static final UUID ONE = new UUID(1, 1);
  private static final UUID OTHER = new UUID(2, 2);

  private static Message.Answer answer(UUID from, int... counts) {
    Snapshot snapshot = new Snapshot(0, BackendSet.ofSize(counts.length), counts, 0);
    return new Message.Answer(from, 0, 7, CountVector.of(snapshot, new long[] {5}));
  }

  @Test
  void isOverWhenAllThatWereReachedHaveAnswered() {
    Round round = new Round(0, 7, 1000);
    round.answered(answer(ONE, 1), 1200);
    assertThat(round.isOver()).isFalse();
    round.asked(3, 2);
    assertThat(round.isOver()).isFalse();
    round.answered(answer(ONE, 9), 1300);
    assertThat(round.isOver()).isFalse();
    round.answered(answer(OTHER, 1), 1400);
    assertThat(round.isOver()).isTrue();
    assertThat(round.number()).isEqualTo(3);
  }

  @Test
  void isOverAfterItsBound() {
    Round round = new Round(0, 7, 1000);
    round.asked(3, 2);
    round.answered(answer(ONE, 1), 1200);
    assertThat(round.isOver()).isFalse();
    round.late();
    assertThat(round.isOver()).isTrue();
  }

  @Test
  void countsWereTrueHalfWayBetweenQuestionAndAnswer() {
    Round round = new Round(0, 7, 1000);
    assertThat(round.truthNanos()).isEqualTo(1000);
    round.answered(answer(ONE, 1), 1200);
    round.answered(answer(OTHER, 1), 1400);
    assertThat(round.truthNanos()).isEqualTo(1150);
  }
}
