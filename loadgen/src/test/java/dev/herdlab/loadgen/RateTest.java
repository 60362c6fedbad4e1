package dev.herdlab.loadgen;

import static dev.herdlab.loadgen.GeneratorFixture.MILLI;
import static dev.herdlab.loadgen.GeneratorFixture.SECOND;
import static dev.herdlab.loadgen.GeneratorFixture.await;
import static dev.herdlab.loadgen.GeneratorFixture.evenly;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import dev.herdlab.workload.RunLog.Entry;
import dev.herdlab.workload.Trace;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The rate changes while requests are sent, on real stubs in the proxies' place.
class RateTest {
  @Test
  void sendsWhatIsLeftFasterAndTellsTheInstantsThatItUsed() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 20, s -> s)) {
      // Planned to take 100 s.
      Trace plan = evenly(1000, 100 * MILLI, 0);
      var run = fixture.generator.run("a", plan, fixture.nanos(), Progress.NONE);
      await(() -> fixture.generator.state().sent() > 3);
      fixture.generator.setRate(100);
      CompletedRun done = await(run);

      Trace used = done.trace();
      assertThat(done.log().entries()).hasSize(1000).allMatch(Entry::ok);
      assertThat(used.intendedNanos(3)).isEqualTo(300 * MILLI);
      assertThat(used.lastIntendedNanos()).isLessThan(50 * SECOND);
      // 100 ms are 1 ms now.
      for (int i = 900; i < 1000; i++) {
        assertThat(used.intendedNanos(i) - used.intendedNanos(i - 1)).isCloseTo(MILLI, within(1L));
      }
      assertThat(done.log().entries())
          .allMatch(entry -> entry.sentNanos() >= used.intendedNanos(entry.request()));
      assertThat(done.log().entries().getLast().sentNanos()).isLessThan(50 * SECOND);
    }
  }

  @Test
  void aRunThatHasNotBegunBeginsTheEarlier() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 2, s -> s)) {
      long asked = fixture.nanos() + 300 * SECOND;
      var run = fixture.generator.run("a", evenly(3, 100 * MILLI, 0), asked, Progress.NONE);
      fixture.generator.setRate(1000);
      CompletedRun done = await(run);

      assertThat(done.epochNanos()).isLessThan(asked - 200 * SECOND);
      assertThat(done.trace().lastIntendedNanos()).isEqualTo(2 * MILLI / 10);
      assertThat(done.log().entries()).hasSize(3).allMatch(Entry::ok);
      assertThat(done.log().entries().getFirst().sentNanos()).isBetween(0L, 100 * SECOND);
    }
  }

  @Test
  void runsThatAreGivenLaterAreAsPlanned() throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 2, s -> s)) {
      fixture.generator.setRate(0.001);
      Trace plan = evenly(3, MILLI, 0);

      CompletedRun done = await(fixture.generator.run("a", plan, fixture.nanos(), Progress.NONE));
      assertThat(done.trace()).isSameAs(plan);
    }
  }

  @ParameterizedTest
  @ValueSource(doubles = {0, -1, 0.0009, 1001, Double.NaN, Double.POSITIVE_INFINITY})
  void refusesAFactorThatMakesNoSense(double factor) throws Exception {
    try (GeneratorFixture fixture = GeneratorFixture.beforeStubs(1, 1, s -> s)) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> fixture.generator.setRate(factor))
          .withMessage("factor: " + factor + " (expected: 0.001 to 1000.0)");
    }
  }
}
