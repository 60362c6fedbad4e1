package dev.herdlab.workload;

import dev.herdlab.workload.Spec.Range;
import java.util.Arrays;

/// The laws of proxies that a spec can name.
final class ProxyLaws {
  private static final int MAX_CONNECTIONS = 1_000_000;

  private ProxyLaws() {}

  static ProxyLaw parse(String text) {
    Spec spec = new Spec("proxy choice", text);
    ProxyLaw law =
        switch (spec.name()) {
          case "uniform" -> ProxyLaw.UNIFORM;
          case "weighted" -> weighted(spec);
          case "sticky" -> sticky(spec);
          default ->
              throw spec.unknownName("uniform, weighted(shares=3+1+1+1) or sticky(connections=64)");
        };
    spec.end();
    return law;
  }

  private static ProxyLaw weighted(Spec spec) {
    double[] shares =
        Arrays.stream(spec.text("shares").split("\\+", -1))
            .mapToDouble(share -> DecimalText.read(share.strip()))
            .toArray();
    double sum = Arrays.stream(shares).sum();
    if (!(sum > 0) || !Double.isFinite(sum) || Arrays.stream(shares).anyMatch(s -> !(s >= 0))) {
      throw spec.error("shares", "numbers >= 0 with + between them, such as 3+1+1+1, not all 0");
    }
    return (proxies, random) -> {
      if (proxies != shares.length) {
        throw new IllegalArgumentException(
            "proxy choice: %d shares (expected: %d, one for each proxy)"
                .formatted(shares.length, proxies));
      }
      return () -> byShare(shares, sum * random.unit());
    };
  }

  /// The first whose sum of shares is above `at`; the last that has any, should rounding leave
  // none.
  private static int byShare(double[] shares, double at) {
    double sum = 0;
    int last = 0;
    for (int i = 0; i < shares.length; i++) {
      sum += shares[i];
      if (sum > at) {
        return i;
      }
      last = shares[i] > 0 ? i : last;
    }
    return last;
  }

  private static ProxyLaw sticky(Spec spec) {
    double connections = spec.number("connections", 64, Range.ABOVE_ZERO);
    if (connections != Math.rint(connections) || connections > MAX_CONNECTIONS) {
      throw spec.error("connections", "a whole number from 1 to " + MAX_CONNECTIONS);
    }
    return (proxies, random) -> {
      int[] ends = new int[(int) connections];
      Arrays.setAll(ends, i -> random.below(proxies));
      return () -> ends[random.below(ends.length)];
    };
  }
}
