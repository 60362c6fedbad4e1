package dev.herdlab.proxy.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Snapshot;
import java.io.EOFException;
import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class MessageTest {
  private static final UUID ONE = new UUID(1, -1);
  private static final UUID OTHER = new UUID(Long.MIN_VALUE, 2);

  private static CountVector vector(List<String> ids, int[] counts, long... picks) {
    BackendSet set = BackendSet.of(ids.stream().map(Backend::of).toList());
    return CountVector.of(new Snapshot(0, set, counts, 0), picks);
  }

  @Test
  void aQuestionComesOutAsItWentIn() throws Exception {
    Message question = new Message.Collect(ONE, 3, Long.MAX_VALUE);
    assertThat(Message.decode(question.encode())).isEqualTo(question);
    Message farewell = new Message.Farewell(OTHER);
    assertThat(Message.decode(farewell.encode())).isEqualTo(farewell);
  }

  @Test
  void anAnswerComesOutAsItWentIn() throws Exception {
    CountVector counts = vector(List.of("b0", "größe/7"), new int[] {3, 70_000}, 1L << 40, 0);
    byte[] bytes = new Message.Answer(OTHER, 0, 5, counts).encode();
    if (!(Message.decode(bytes) instanceof Message.Answer answer)) {
      throw new AssertionError("no answer");
    }
    assertThat(answer.from()).isEqualTo(OTHER);
    assertThat(answer.token()).isEqualTo(5);
    assertThat(answer.counts().size()).isEqualTo(2);
    assertThat(answer.counts().id(1)).isEqualTo("größe/7");
    assertThat(answer.counts().count(1)).isEqualTo(70_000);
    assertThat(answer.counts().picks()).containsExactly(1L << 40, 0);
  }

  @Test
  void aCopySumsWhatProcessesKnowByName() throws Exception {
    SharedCopy copy = new SharedCopy(77);
    copy.add(ONE, vector(List.of("a", "b"), new int[] {1, 2}, 10));
    copy.addSilent(OTHER, vector(List.of("b", "c"), new int[] {3, 4}, 20, 21));
    if (!(Message.decode(new Message.Common(copy, 123).encode())
        instanceof Message.Common(SharedCopy read, long ageNanos))) {
      throw new AssertionError("no copy");
    }
    assertThat(ageNanos).isEqualTo(123);
    assertThat(read.number()).isEqualTo(77);
    assertThat(read.processes()).isEqualTo(2);
    assertThat(read.silent()).isEqualTo(1);
    assertThat(read.picksOf(OTHER, 2)).containsExactly(20, 21);
    // Of a process that it does not have, it knows no picks.
    assertThat(read.picksOf(new UUID(9, 9), 3)).containsExactly(0, 0, 0);
    assertThat(read.countOf("a")).isEqualTo(1);
    assertThat(read.countOf("b")).isEqualTo(5);
    assertThat(read.countOf("c")).isEqualTo(4);
    assertThat(read.countOf("d")).isZero();
  }

  @Test
  void whatIsNoMessageIsRefused() {
    assertThatThrownBy(() -> Message.decode(new byte[0])).isInstanceOf(EOFException.class);
    assertThatThrownBy(() -> Message.decode(new byte[] {9, 1}))
        .isInstanceOf(IOException.class)
        .hasMessage("message of version 9 (expected: 1)");
    assertThatThrownBy(() -> Message.decode(new byte[] {1, 9}))
        .isInstanceOf(IOException.class)
        .hasMessage("message of kind 9 (expected: 1 to 4)");
    byte[] cut = new Message.Collect(ONE, 3, 4).encode();
    assertThatThrownBy(() -> Message.decode(Arrays.copyOf(cut, cut.length - 1)))
        .isInstanceOf(EOFException.class);
  }

  @Test
  void sixteenBackendsTakeAFewHundredBytes() {
    BackendSet set = BackendSet.ofSize(16);
    CountVector counts = CountVector.of(new Snapshot(0, set, new int[16], 0), new long[4]);
    assertThat(new Message.Answer(ONE, 0, 1, counts).encode()).hasSizeLessThan(300);
  }
}
