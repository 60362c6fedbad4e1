package dev.herdlab.lab.run;

import dev.herdlab.lab.config.Settings;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.ProxyLaw;
import dev.herdlab.workload.ServiceLaw;
import dev.herdlab.workload.TenantLaw;
import dev.herdlab.workload.Trace;

/// The requests that a generator's own settings describe. Owner thread: any (no state).
final class OwnLoad {
  private OwnLoad() {}

  /// Refuses settings that no trace can be drawn from.
  ///
  /// @throws dev.herdlab.lab.config.ConfigException if they do not fit each other
  static void check(Settings settings) {
    if (settings.get(ComponentKeys.WARMUP) >= settings.get(ComponentKeys.REQUESTS)) {
      throw settings.error(ComponentKeys.WARMUP, "fewer than the requests");
    }
  }

  /// Draws them.
  ///
  /// @throws dev.herdlab.lab.config.ConfigException if a spec cannot be read
  static Trace trace(Settings settings, int proxies) {
    long unitNanos = settings.get(ComponentKeys.UNIT);
    return Trace.generate(
        settings.get(ComponentKeys.SEED),
        settings.get(ComponentKeys.REQUESTS),
        proxies,
        ProxyLaw.UNIFORM,
        ComponentLists.spec(
            settings,
            ComponentKeys.ARRIVALS,
            text -> ArrivalProcess.parse(text, settings.get(ComponentKeys.RATE), unitNanos)),
        ComponentLists.spec(settings, ComponentKeys.DRAWN_SERVICE, ServiceLaw::parse),
        ComponentLists.spec(settings, ComponentKeys.TENANTS, TenantLaw::parse),
        unitNanos);
  }
}
