package dev.herdlab.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Algorithms;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.openjdk.jmh.annotations.Param;

final class BenchmarksTest {
  @Test
  void coversEveryAlgorithmOfTheRegistry() throws NoSuchFieldException {
    List<String> benchmarked = specs().stream().map(spec -> spec.replaceAll("\\(.*", "")).toList();
    assertThat(benchmarked)
        .containsAll(
            Algorithms.builtIn().all().stream()
                .map(algorithm -> algorithm.description().name())
                .toList());
  }

  @ParameterizedTest
  @MethodSource("specs")
  void picksAndCompletes(String spec) {
    PickBenchmark benchmark = new PickBenchmark();
    benchmark.spec = spec;
    benchmark.fill();
    for (int i = 0; i < 1000; i++) {
      assertThat(benchmark.pickAndComplete().index()).isBetween(0, 15);
    }
  }

  @ParameterizedTest
  @MethodSource("messages")
  void scansEveryHead(HeadScannerBenchmark.Message message) {
    HeadScannerBenchmark benchmark = new HeadScannerBenchmark();
    benchmark.message = message;
    benchmark.write();
    benchmark.release();
  }

  static List<HeadScannerBenchmark.Message> messages() {
    return List.of(HeadScannerBenchmark.Message.values());
  }

  static List<String> specs() throws NoSuchFieldException {
    return Arrays.asList(
        PickBenchmark.class.getDeclaredField("spec").getAnnotation(Param.class).value());
  }
}
