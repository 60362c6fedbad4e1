package dev.herdlab.lab.config;

import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.ProxyLaw;
import dev.herdlab.workload.RandomStream;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.TenantLaw;
import java.util.function.Consumer;

/// Checks the specs of a cell by reading each once, so that an error comes before anything runs.
///
/// Owner thread: any.
final class Specs {
  private Specs() {}

  static void checkService(Settings.Value<String> law) {
    check(law, "service", ServiceLaw::parse);
  }

  static void checkArrivals(Settings.Value<String> process, long unitNanos) {
    check(process, "arrivals", text -> ArrivalProcess.parse(text, 1, unitNanos));
  }

  static void checkTenants(Settings.Value<String> law) {
    check(law, "tenants", TenantLaw::parse);
  }

  static void checkProxyChoice(Settings.Value<String> law, int proxies) {
    check(
        law,
        "proxy-choice",
        text -> {
          var _ = ProxyLaw.parse(text).begin(proxies, RandomStream.of(0, "proxy"));
        });
  }

  /// Reads a spec; its error, which names what, column and expectation, gets the place in front.
  static void check(Settings.Value<String> spec, String key, Consumer<String> reader) {
    try {
      reader.accept(spec.value());
    } catch (IllegalArgumentException e) {
      throw new ConfigException(spec.origin().place(key) + ": " + e.getMessage());
    }
  }
}
