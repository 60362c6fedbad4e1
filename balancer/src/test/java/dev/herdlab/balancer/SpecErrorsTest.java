package dev.herdlab.balancer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// Every error is one line: the text, the column (from 1), what stands there, what was expected.
final class SpecErrorsTest {
  private static final String NAMES =
      "one of "
          + Algorithms.builtIn().all().stream()
              .map(algorithm -> algorithm.description().name())
              .sorted()
              .collect(Collectors.joining(", "));

  private static String parametersOf(String name) {
    return Algorithms.builtIn().parse(name, 1).algorithm().description().parameters().stream()
        .map(Parameter::name)
        .collect(Collectors.joining(", "));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '"',
      value = {
        "p2d                       | 1  | p2d            | NAMES",
        "least_conn                | 1  | least_conn     | NAMES",
        "\"\"                      | 1  | nothing        | NAMES",
        "(d=2)                     | 1  | nothing        | NAMES",
        "p2c)                      | 1  | p2c)           | NAMES",
        "p2c(d=0)                  | 7  | d=0            | a whole number from 1 to 64",
        "p2c(d=65)                 | 7  | d=65           | a whole number from 1 to 64",
        "p2c(d=two)                | 7  | d=two          | a whole number from 1 to 64",
        "p2c(d=2.5)                | 7  | d=2.5          | a whole number from 1 to 64",
        "p2c(d=)                   | 7  | d=             | a whole number from 1 to 64",
        "p2c(d=3,draws=twice)      | 15 | draws=twice    | replacement or distinct or shifted",
        "p2c( d = 3 , ties = last) | 21 | ties=last      | first or random",
        "p2c(d=3,ties=first(x))    | 14 | ties=first(x)  | first or random",
        "p2c(d=3,dd=3)             | 9  | dd             | P2C",
        "p2c(d=3, D=3)             | 10 | D              | P2C",
        "p2c(d=3,d=4)              | 9  | d again        | each parameter once",
        "p2c(3)                    | 5  | 3              | key=value",
        "p2c(d=3,)                 | 9  | nothing        | key=value",
        "p2c(,d=3)                 | 5  | nothing        | key=value",
        "p2c(d=3, four)            | 10 | four           | key=value",
        "p2c(=3)                   | 5  | nothing        | P2C",
        "p2c(d=3                   | 8  | end of text    | a closing parenthesis",
        "p2c(                      | 5  | end of text    | a closing parenthesis",
        "p2c(d=f(3)                | 11 | end of text    | a closing parenthesis",
        "p2c(d=3)x                 | 9  | x              | end of text",
        "p2c(d=3))                 | 9  | )              | end of text",
        "p2c(bias=2)               | 5  | bias=2         | as=envoy with it",
        "p2c(d=3,as=nginx)         | 5  | d=3            | 2 with as=nginx",
        "p2c(as=nginx,ties=first)  | 14 | ties=first     | no ties with as=nginx",
        "p2c(as=caddy,d=1)         | 14 | d=1            | at least 2 with as=caddy",
        "p2c(draws=shifted,d=3)    | 19 | d=3            | 2 with draws=shifted",
        "p2c(metric=peak-ewma,as=envoy) | 5 | metric=peak-ewma | in-flight with as=envoy",
        "p2c(samples=5)            | 5  | samples=5      | metric=mean-latency with it",
        "peak-ewma(rtt=1ms)        | 11 | rtt=1ms        | newcomer=rtt with it",
        "least-time(as=traefik,cap=1s) | 23 | cap=1s     | no cap with as=traefik",
        "least-time(step=1500us)   | 12 | step=1500us    | a multiple of resolution",
        "smooth-weighted-round-robin(fail-timeout=1s) | 29 | fail-timeout=1s | max-fails above 0 with it",
      })
  void algorithmErrorSaysWhatStandsWhere(String text, int column, String found, String expected) {
    assertThatThrownBy(() -> Algorithms.builtIn().parse(text, 1))
        .isInstanceOf(SpecException.class)
        .hasMessage(
            "algorithm '%s', column %d: %s (expected: %s)",
            text,
            column,
            found,
            switch (expected) {
              case "NAMES" -> NAMES;
              case "P2C" -> parametersOf("p2c");
              default -> expected;
            });
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "remote                              | 1  | remote      | VIEWS",
        "local(refresh=1)                    | 7  | refresh     | no parameters for local",
        "shared(own=true)                    | 8  | own         | no parameters for shared",
        "shared-stale                        | 13 | no refresh= | DURATION",
        "shared-stale()                      | 13 | no refresh= | DURATION",
        "shared-stale(refesh=4)              | 14 | refesh      | refresh, own, phase",
        "shared-stale(refresh=0)             | 22 | refresh=0   | DURATION",
        "shared-stale(refresh=-1ms)          | 22 | refresh=-1ms | DURATION",
        "shared-stale(refresh=4h)            | 22 | refresh=4h  | DURATION",
        "shared-stale(refresh=ms)            | 22 | refresh=ms  | DURATION",
        "shared-stale(refresh=NaN)           | 22 | refresh=NaN | DURATION",
        "shared-stale(refresh=Infinity)      | 22 | refresh=Infinity | DURATION",
        "shared-stale(refresh=1e300s)        | 22 | refresh=1e300s | DURATION",
        "shared-stale(refresh=0.1ns)         | 22 | refresh=0.1ns | DURATION",
        "shared-stale(refresh=4,own=yes)     | 28 | own=yes     | true or false",
        "shared-stale(refresh=4,phase=late)  | 30 | phase=late  | sync or random",
      })
  void viewErrorSaysWhatStandsWhere(String text, int column, String found, String expected) {
    String meant =
        switch (expected) {
          case "VIEWS" -> "local, shared, reported or shared-stale(refresh=R,own=,phase=)";
          case "DURATION" -> "a duration above 0 such as 10s, 5ms, 20us or 4u (units)";
          default -> expected;
        };
    assertThatThrownBy(() -> ViewSpec.parse(text, 1_000_000))
        .isInstanceOf(SpecException.class)
        .hasMessage("view '%s', column %d: %s (expected: %s)", text, column, found, meant);
  }

  @Test
  void messageStaysOnOneLine() {
    assertThatThrownBy(() -> Algorithms.builtIn().parse("  p2c(d=\n0)\t", 1))
        .hasMessage("algorithm 'p2c(d= 0)', column 8: d=0 (expected: a whole number from 1 to 64)");
  }

  @Test
  void specMayBeWrittenWithBlanksAndEmptyParentheses() {
    ConfiguredAlgorithm spaced =
        Algorithms.builtIn().parse(" p2c ( d = 3 , draws = distinct ) ", 1);

    assertThat(spaced.parameters().whole("d")).isEqualTo(3);
    assertThat(spaced.parameters().choice("draws")).isEqualTo("distinct");
    assertThat(spaced.parameters().choice("ties")).isEqualTo("first");
    assertThat(Algorithms.builtIn().parse("random()", 1).algorithm().description().name())
        .isEqualTo("random");
  }
}
