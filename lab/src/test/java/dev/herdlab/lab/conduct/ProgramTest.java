package dev.herdlab.lab.conduct;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.lab.config.CellPlan;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import org.junit.jupiter.api.Test;

final class ProgramTest {
  private static final Program.Wish HERD =
      new Program.Wish(
          Optional.of("least-conn"),
          Optional.of("shared-stale(refresh=8)"),
          OptionalDouble.of(0.5));

  private static CellPlan cell(String algorithm) {
    return new CellPlan(
        10_000_000,
        2,
        Collections.nCopies(2, 1.0),
        Collections.nCopies(2, 1),
        "exponential",
        "poisson",
        "none",
        3,
        0.8,
        1000,
        100,
        7,
        algorithm,
        "local");
  }

  private static String algorithm(Program program) {
    return program.next().map(step -> step.plan().algorithm()).orElse("end");
  }

  @Test
  void playsTheCellsInTurnAsOftenAsWasAsked() {
    Program program = new Program(List.of(cell("random"), cell("p2c")), 2);

    assertThat(List.of(algorithm(program), algorithm(program), algorithm(program)))
        .containsExactly("random", "p2c", "random");
    assertThat(program.next())
        .hasValueSatisfying(
            step -> {
              assertThat(step.number()).isEqualTo(4);
              assertThat(step.cycle()).isEqualTo(2);
            });
    assertThat(algorithm(program)).isEqualTo("end");
  }

  @Test
  void zeroCyclesNeverEnd() {
    Program program = new Program(List.of(cell("random")), 0);

    for (int i = 0; i < 1000; i++) {
      assertThat(algorithm(program)).isEqualTo("random");
    }
  }

  @Test
  void aWishIsPlayedOnceAndTheTourGoesOnWhereItWas() {
    Program program = new Program(List.of(cell("random"), cell("p2c")), 0);
    algorithm(program);
    program.ask(HERD, false);

    Program.Step wished = program.next().orElseThrow();
    assertThat(wished.wished()).isTrue();
    assertThat(wished.plan().algorithm()).isEqualTo("least-conn");
    assertThat(wished.plan().view()).isEqualTo("shared-stale(refresh=8)");
    assertThat(wished.plan().rho()).isEqualTo(0.5);
    assertThat(wished.plan().seed()).isEqualTo(7);
    assertThat(algorithm(program)).isEqualTo("p2c");
  }

  @Test
  void aHeldWishIsRepeatedUntilItIsReleased() {
    Program program = new Program(List.of(cell("random"), cell("p2c")), 0);
    program.ask(HERD, true);

    assertThat(List.of(algorithm(program), algorithm(program)))
        .containsExactly("least-conn", "least-conn");
    program.release();
    assertThat(algorithm(program)).isEqualTo("random");
  }

  @Test
  void whatIsPeekedIsWhatComes() {
    Program program = new Program(List.of(cell("random"), cell("p2c")), 1);

    assertThat(program.peek())
        .hasValueSatisfying(p -> assertThat(p.algorithm()).isEqualTo("random"));
    algorithm(program);
    program.ask(HERD, false);
    assertThat(program.peek()).hasValueSatisfying(p -> assertThat(p.rho()).isEqualTo(0.5));
    algorithm(program);
    algorithm(program);
    assertThat(program.peek()).isEmpty();
  }
}
