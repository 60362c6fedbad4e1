package dev.herdlab.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class ParallelTest {
  @Test
  void resultsStandInTheOrderOfTheInputs() {
    List<Integer> inputs = IntStream.range(0, 500).boxed().toList();

    assertThat(Parallel.map(inputs, i -> i * i, Progress.NONE))
        .isEqualTo(inputs.stream().map(i -> i * i).toList());
  }

  @Test
  void progressIsHeardOnTheCallersThread() {
    List<String> heard = new ArrayList<>();
    Thread caller = Thread.currentThread();

    Parallel.map(
        List.of(1, 2, 3),
        i -> i,
        (done, total) -> heard.add(done + "/" + total + (Thread.currentThread() == caller)));

    assertThat(heard).containsExactly("1/3true", "2/3true", "3/3true");
  }

  @Test
  void aFailureIsThrownAsItIs() {
    assertThatThrownBy(
            () ->
                Parallel.map(
                    List.of(1, 2),
                    i -> {
                      throw new IllegalStateException("part " + i);
                    },
                    Progress.NONE))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("part ");
  }

  @Test
  void anInterruptCancels() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> Parallel.map(List.of(1), i -> i, Progress.NONE))
        .isInstanceOf(CancellationException.class);
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void nothingInNothingOut() {
    assertThat(Parallel.map(List.of(), i -> i, Progress.NONE)).isEmpty();
  }
}
