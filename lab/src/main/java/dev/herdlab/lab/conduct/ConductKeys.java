package dev.herdlab.lab.conduct;

import dev.herdlab.lab.config.Key;
import dev.herdlab.lab.config.KeyTable;
import dev.herdlab.lab.config.ValueType;

/// The keys of `herdlab conduct` beside those of its experiment: where the running system is, and
/// what the conductor shows of it. Owner thread: any (immutable).
public final class ConductKeys {
  private static final String ADDRESSES = "HOST:PORT or dns://NAME:PORT";

  static final Key<String> FLEET_PROXIES =
      Key.list(
          "fleet-proxies",
          ValueType.text(ADDRESSES),
          Key.REQUIRED,
          "admin ports of the proxies; a name stands for every address that it has at the moment");
  static final Key<String> FLEET_BACKENDS =
      Key.list(
          "fleet-backends",
          ValueType.text(ADDRESSES),
          Key.REQUIRED,
          "admin ports of the backends' processes");
  static final Key<String> FLEET_GENERATORS =
      Key.list(
          "fleet-generators",
          ValueType.text(ADDRESSES),
          Key.REQUIRED,
          "admin ports of the generators, which share each phase's requests");
  static final Key<String> DNS =
      Key.one(
          "dns",
          ValueType.text("HOST:PORT, or system"),
          "system",
          "resolver of the names; system: the first of /etc/resolv.conf");
  static final Key<Integer> CYCLES =
      Key.one(
          "cycles",
          ValueType.whole(0, 1_000_000),
          "0",
          "how often all cells are played; 0: until the command is stopped");
  static final Key<Integer> KEEP =
      Key.one(
          "keep",
          ValueType.whole(1, 100_000),
          "20",
          "cycles whose results stay in the folder; older ones are removed");
  static final Key<String> PAGE =
      Key.one(
          "page",
          ValueType.text("HOST:PORT, or none"),
          "127.0.0.1:8090",
          "where the live page and its knobs are served, without a password");
  static final Key<String> METRICS =
      Key.one(
          "metrics",
          ValueType.text("HOST:PORT, or none"),
          "none",
          "where Prometheus finds the phases and the model's predictions");
  static final Key<Long> START_TIMEOUT =
      Key.one(
          "start-timeout",
          ValueType.duration(1_000_000),
          "60s",
          "how long to wait until the running system can be reached");

  /// All of them.
  public static final KeyTable ALL =
      KeyTable.of(
          FLEET_PROXIES,
          FLEET_BACKENDS,
          FLEET_GENERATORS,
          DNS,
          CYCLES,
          KEEP,
          PAGE,
          METRICS,
          START_TIMEOUT);

  private ConductKeys() {}
}
