package dev.herdlab.lab.run;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.lab.admin.JsonFields;
import dev.herdlab.lab.config.Settings;
import java.util.LinkedHashMap;
import java.util.Map;

/// What a process's proxies do, as it was asked for. Owner thread: any (immutable).
///
/// @param algorithm a spec
/// @param view a spec
/// @param unitNanos the unit of durations in them
/// @param seed of the coins and of the views' phases
/// @param epochNanos the instant on the process's clock that records and copies count from
/// @param firstProxy number of the first instance
/// @param proxies number of all proxies of the system; 0: these and those numbered before them
/// @param phase what the time from now on is called; may be empty
/// @param recordEvents the most events that are recorded; 0: none
record ProxyPlan(
    String algorithm,
    String view,
    long unitNanos,
    long seed,
    long epochNanos,
    int firstProxy,
    int proxies,
    String phase,
    int recordEvents) {
  private static final int MAX_PROXY = (1 << 24) - 1;
  private static final int MAX_PHASE_CHARS = 200;

  /// Of the heap, what the two records that are kept may take together.
  private static final long RECORDS_SHARE = 4;

  /// As a component's settings say, recording nothing, with an epoch to be set.
  ///
  /// @throws dev.herdlab.lab.config.ConfigException if algorithm or view is none
  static ProxyPlan of(Settings settings, Algorithms algorithms) {
    long unitNanos = settings.get(ComponentKeys.UNIT);
    var _ =
        ComponentLists.spec(
            settings, ComponentKeys.ALGORITHM, text -> algorithms.parse(text, unitNanos));
    var _ =
        ComponentLists.spec(settings, ComponentKeys.VIEW, text -> ViewSpec.parse(text, unitNanos));
    return new ProxyPlan(
        settings.get(ComponentKeys.ALGORITHM),
        settings.get(ComponentKeys.VIEW),
        unitNanos,
        settings.get(ComponentKeys.SEED),
        0,
        settings.get(ComponentKeys.FIRST_PROXY),
        settings.get(ComponentKeys.ALL_PROXIES),
        "",
        0);
  }

  /// The same from an instant.
  ProxyPlan from(long instantNanos) {
    return new ProxyPlan(
        algorithm, view, unitNanos, seed, instantNanos, firstProxy, proxies, phase, recordEvents);
  }

  /// With what is asked for; what is not named stays.
  ///
  /// @throws IllegalArgumentException if a field is wrong or unknown
  ProxyPlan with(JsonFields fields) {
    fields.only(
        "algorithm",
        "view",
        "unit_ns",
        "seed",
        "epoch_ns",
        "first_proxy",
        "proxies",
        "phase",
        "record_events");
    String nextPhase = fields.has("phase") ? fields.anyText("phase", MAX_PHASE_CHARS) : phase;
    return new ProxyPlan(
        fields.findText("algorithm").orElse(algorithm),
        fields.findText("view").orElse(view),
        fields.whole("unit_ns", 1, Long.MAX_VALUE, unitNanos),
        fields.whole("seed", 0, Long.MAX_VALUE, seed),
        fields.whole("epoch_ns", Long.MIN_VALUE, Long.MAX_VALUE, epochNanos),
        (int) fields.whole("first_proxy", 0, MAX_PROXY, firstProxy),
        (int) fields.whole("proxies", 0, MAX_PROXY + 1, proxies),
        nextPhase,
        (int) fields.whole("record_events", 0, Integer.MAX_VALUE, recordEvents));
  }

  /// The most events of a record for which there is always room: half of what the two records may
  /// take.
  static int roomForEvents() {
    return (int) Math.min(Integer.MAX_VALUE / 8, heapForRecords() / 2);
  }

  private static long heapForRecords() {
    return Runtime.getRuntime().maxMemory() / RECORDS_SHARE / DispatchRecorder.EVENT_BYTES;
  }

  /// Refuses a record that does not fit beside the one before it.
  ///
  /// @throws IllegalArgumentException with the most that fits
  static void requireRoom(int events, int before) {
    long most =
        Math.min(Integer.MAX_VALUE / 8, Math.max(roomForEvents(), heapForRecords() - before));
    if (events > most) {
      throw new IllegalArgumentException(
          "record_events: %d (expected: at most %d in a heap of %d MiB)"
              .formatted(events, most, Runtime.getRuntime().maxMemory() >> 20));
    }
  }

  /// As JSON.
  Map<String, Object> fields() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("algorithm", algorithm);
    fields.put("view", view);
    fields.put("unit_ns", unitNanos);
    fields.put("seed", seed);
    fields.put("epoch_ns", epochNanos);
    fields.put("first_proxy", firstProxy);
    fields.put("proxies", proxies);
    fields.put("phase", phase);
    fields.put("record_events", recordEvents);
    return fields;
  }
}
