package dev.herdlab.lab.run;

import dev.herdlab.dns.DiscoverySettings;
import dev.herdlab.lab.config.ExperimentKeys;
import dev.herdlab.lab.config.Key;
import dev.herdlab.lab.config.KeyTable;
import dev.herdlab.lab.config.ValueType;
import dev.herdlab.loadgen.GeneratorSettings;
import dev.herdlab.proxy.PoolSettings;
import dev.herdlab.proxy.RequestAttribute;
import dev.herdlab.proxy.Timeouts;
import dev.herdlab.stub.StubSettings;
import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.Trace;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// The keys of `herdlab backend`, `herdlab proxy` and `herdlab loadgen`.
///
/// Owner thread: any (immutable).
public final class ComponentKeys {
  private static final int MAX_PORT = 65_535;
  private static final int MAX_BYTES = 16 << 20;

  static final Key<String> HOST =
      Key.one("host", ValueType.text("an address"), "127.0.0.1", "address to listen on");
  static final Key<Integer> PORTS =
      Key.list(
          "ports",
          ValueType.whole(0, MAX_PORT),
          "0",
          "one port for each in order, or 0 for any free ones");
  static final Key<Long> UNIT =
      Key.one("unit", ValueType.duration(1), "10ms", "length of a unit of time");
  static final Key<Long> SEED =
      Key.one("seed", ValueType.natural(), "0", "source of all randomness");
  static final Key<Long> SPIN =
      Key.one(
          "spin",
          ValueType.duration(0),
          "0us",
          "polls this long before a deadline instead of sleeping; costs CPU, at most 1ms");
  static final Key<String> PRIORITY =
      Key.one(
          "priority",
          ValueType.choice(List.of("default", "real-time")),
          "default",
          "how the kernel is asked to schedule the loop");
  static final Key<String> ADMIN =
      Key.one(
          "admin",
          ValueType.text("HOST:PORT or none"),
          "none",
          "where it is asked and told things over HTTP; without authentication, so in private");
  static final Key<String> METRICS =
      Key.one(
          "metrics",
          ValueType.text("HOST:PORT or none"),
          "none",
          "where Prometheus finds its metrics, without authentication");
  static final Key<String> UNTIL =
      Key.one(
          "until",
          ValueType.choice(List.of("signal", "stdin")),
          "signal",
          "what ends it: a signal alone, or the end of its standard input too");
  static final Key<Long> DRAIN =
      Key.one(
          "drain",
          ValueType.duration(0),
          "5s",
          "how long it waits, when it ends, for what is in flight");
  static final Key<String> DNS =
      Key.one(
          "dns",
          ValueType.text("ADDRESS, ADDRESS:PORT or system"),
          "system",
          "server that dns:// names are asked of; system: the first of /etc/resolv.conf");
  static final Key<Long> DNS_MAX_TTL =
      Key.one(
          "dns-max-ttl",
          ValueType.duration(1_000_000_000),
          DiscoverySettings.DEFAULT.maxTtl().toSeconds() + "s",
          "longest that an answer is believed, whatever its own TTL; 1s to a day");

  // Backends.
  static final Key<Integer> COUNT =
      Key.one("backends", ValueType.whole(1, 4096), "16", "number of backends, each with a port");
  static final Key<String> NAME =
      Key.one(
          "name",
          ValueType.text("a name, or host"),
          "b",
          "what the backends are called, before their number; host: the host's name and a dash");
  static final Key<Double> SPEEDS =
      Key.list(
          "speeds", ValueType.positive(), "1", "speed of each in order, or one number for all");
  static final Key<String> SERVICE =
      Key.one(
          "service",
          ValueType.text("a service law such as lognormal or deterministic"),
          "lognormal(mu=-0.36,sigma=0.85)",
          "law of the service time of requests that name none");
  static final Key<Integer> BODY_BYTES =
      Key.one(
          "body-bytes",
          ValueType.whole(0, MAX_BYTES),
          String.valueOf(StubSettings.DEFAULT_BODY_BYTES),
          "length of a response's body");
  static final Key<Integer> QUEUE_LIMIT =
      Key.one(
          "queue-limit",
          ValueType.whole(1, Integer.MAX_VALUE),
          String.valueOf(StubSettings.DEFAULT_QUEUE_LIMIT),
          "most requests in one backend; more are refused with 503");
  static final Key<Queueing.Discipline> DISCIPLINE =
      Key.one(
          "discipline",
          ValueType.constant(Queueing.Discipline.class),
          "fifo",
          "whom a backend serves next: first or last of its queue, or all at once (ps)");
  static final Key<Integer> SERVERS =
      Key.one(
          "servers",
          ValueType.whole(1, Queueing.MAX_SERVERS),
          "1",
          "servers of each backend, with one queue for all");
  static final Key<String> ENGINE =
      Key.one(
          "engine",
          ValueType.choice(List.of("herdlab", "wiremock")),
          "herdlab",
          "what makes the responses: a fixed text, or WireMock with mappings of yours");
  static final Key<Path> WIREMOCK_ROOT =
      Key.one(
          "wiremock-root",
          ValueType.path(),
          Key.NONE,
          "folder with mappings/ and __files/, for the engine wiremock");

  // Proxies.
  static final Key<Integer> INSTANCES =
      Key.one(
          "instances",
          ValueType.whole(1, 4096),
          "1",
          "number of proxy instances, each with port, balancer and connections of its own");
  static final Key<String> BACKENDS =
      Key.list(
          "backends",
          ValueType.text("HOST:PORT, ID=HOST:PORT or dns://NAME:PORT"),
          Key.REQUIRED,
          "where the backends listen, named b0, b1, ... unless they have ids; or one name that stands"
              + " for all of them, kept up to date (dns://NAME:FIRST-LAST, dns+srv://NAME)");
  static final Key<Integer> WEIGHTS =
      Key.list(
          "weights",
          ValueType.whole(1, MAX_PORT),
          "1",
          "weight of each backend in order, or one number for all");
  static final Key<String> ALGORITHM =
      Key.one(
          "algorithm",
          ValueType.text("an algorithm such as p2c(d=2); see herdlab algorithms"),
          "round-robin",
          "how a backend is picked");
  static final Key<String> VIEW =
      Key.one(
          "view",
          ValueType.text("local, shared, reported or shared-stale(refresh=R,own=,phase=)"),
          "local",
          "what a balancer knows of the loads; shared: of all instances of this process");
  static final Key<Integer> POOL_WARM =
      Key.one(
          "pool-warm",
          ValueType.whole(0, MAX_PORT),
          String.valueOf(PoolSettings.DEFAULT.warm()),
          "connections to each backend, opened at the start");
  static final Key<Integer> POOL_CAP =
      Key.one(
          "pool-cap",
          ValueType.whole(1, MAX_PORT),
          String.valueOf(PoolSettings.DEFAULT.cap()),
          "most connections of an instance to a backend; beyond, a request fails with 503");
  static final Key<Long> CONNECT_TIMEOUT =
      Key.one(
          "connect-timeout",
          ValueType.duration(1_000_000),
          text(Timeouts.DEFAULT.connect()),
          "for a connection to a backend");
  static final Key<Long> RESPONSE_TIMEOUT =
      Key.one(
          "response-timeout",
          ValueType.duration(1_000_000),
          text(Timeouts.DEFAULT.responseHead()),
          "from a request's last byte to its response's head");
  static final Key<Long> PROBE_TIMEOUT =
      Key.one(
          "probe-timeout",
          ValueType.duration(1_000_000),
          text(Timeouts.DEFAULT.probe()),
          "for the reply to a probe, where the algorithm sends any");
  static final Key<String> KEY =
      Key.one(
          "key",
          ValueType.text("header:NAME, path, client, cookie:NAME or none"),
          "header:" + RequestAttribute.DEFAULT.name(),
          "which attribute of a request hashing and affinity go by");
  static final Key<Integer> FIRST_PROXY =
      Key.one(
          "first-proxy",
          ValueType.whole(0, (1 << 24) - 1),
          "0",
          "number of the first instance, among all proxies of a system");
  static final Key<Integer> ALL_PROXIES =
      Key.one(
          "proxies",
          ValueType.whole(0, 1 << 24),
          "0",
          "number of all proxies of a system, which some algorithms go by; 0: the highest of these");
  static final Key<String> BOARD =
      Key.one(
          "board",
          ValueType.text("memory or redis://HOST:PORT"),
          "memory",
          "where shared-stale gets its counts: this process alone, or all that share a Redis");

  static final Key<String> BOARD_GROUP =
      Key.one(
          "board-group",
          ValueType.matching("[A-Za-z0-9._-]{1,64}", "1 to 64 letters, digits, '.', '_' or '-'"),
          "herdlab",
          "proxies with the same one share counts, where the board is a Redis");

  // The generator.
  static final Key<String> PROXIES =
      Key.list(
          "proxies",
          ValueType.text("HOST:PORT or dns://NAME:PORT"),
          Key.REQUIRED,
          "where the proxies listen, in the order of their numbers; or one name that stands for all of"
              + " them, kept up to date. Each request goes to a uniformly random one");
  static final Key<Double> RATE =
      Key.one("rate", ValueType.positive(), "12.8", "requests a unit, over all proxies together");
  static final Key<String> ARRIVALS =
      Key.one(
          "arrivals",
          ValueType.text("an arrival process such as poisson, constant or bursty"),
          "poisson",
          "when requests are sent (open loop)");
  static final Key<String> TENANTS =
      Key.one(
          "tenants",
          ExperimentKeys.TENANTS.type(),
          ExperimentKeys.TENANTS.defaultText(),
          ExperimentKeys.TENANTS.documentation());
  static final Key<String> DRAWN_SERVICE =
      Key.one(
          "service",
          SERVICE.type(),
          SERVICE.defaultText(),
          "law of the service times that the requests ask of a backend of speed 1");
  static final Key<Integer> REQUESTS =
      Key.one("requests", ValueType.whole(1, Trace.MAX_REQUESTS), "10000", "how many are sent");
  public static final Key<Integer> WARMUP =
      Key.one(
          "warmup",
          ValueType.whole(0, Trace.MAX_REQUESTS),
          "1000",
          "the first requests, left out of the result");
  static final Key<Integer> CONNECTIONS =
      Key.one(
          "connections",
          ValueType.whole(1, MAX_PORT),
          "32",
          "connections to each proxy, opened before the clock starts");
  static final Key<Integer> CONNECTION_LIMIT =
      Key.one(
          "connection-limit",
          ValueType.whole(1, MAX_PORT),
          String.valueOf(GeneratorSettings.DEFAULT_CONNECTION_LIMIT),
          "most connections to one proxy; a request that finds none fails");
  static final Key<Long> REQUEST_TIMEOUT =
      Key.one(
          "request-timeout",
          ValueType.duration(1_000_000),
          text(GeneratorSettings.DEFAULT_REQUEST_TIMEOUT),
          "from a request's send to its last byte");
  static final Key<Optional<Long>> TIMEOUT =
      Key.one(
          "timeout",
          ValueType.orNone(ValueType.duration(1)),
          "none",
          "how long clients wait from the intended instant on; proxies are told and give up then");

  /// Keys of `herdlab backend`.
  public static final KeyTable BACKEND =
      KeyTable.of(
          HOST,
          PORTS,
          COUNT,
          NAME,
          SPEEDS,
          SERVICE,
          UNIT,
          SEED,
          BODY_BYTES,
          QUEUE_LIMIT,
          DISCIPLINE,
          SERVERS,
          ENGINE,
          WIREMOCK_ROOT,
          SPIN,
          PRIORITY,
          ADMIN,
          METRICS,
          UNTIL,
          DRAIN);

  /// Keys of `herdlab proxy`.
  public static final KeyTable PROXY =
      KeyTable.of(
          HOST,
          PORTS,
          INSTANCES,
          FIRST_PROXY,
          ALL_PROXIES,
          BACKENDS,
          WEIGHTS,
          ALGORITHM,
          VIEW,
          KEY,
          UNIT,
          SEED,
          POOL_WARM,
          POOL_CAP,
          AttemptKeys.RETRIES,
          AttemptKeys.RETRY_BUDGET,
          AttemptKeys.HEDGE,
          CONNECT_TIMEOUT,
          RESPONSE_TIMEOUT,
          PROBE_TIMEOUT,
          BOARD,
          BOARD_GROUP,
          DNS,
          DNS_MAX_TTL,
          SPIN,
          PRIORITY,
          ADMIN,
          METRICS,
          UNTIL,
          DRAIN);

  /// Keys of `herdlab loadgen`.
  public static final KeyTable LOADGEN =
      KeyTable.of(
          PROXIES,
          RATE,
          ARRIVALS,
          TENANTS,
          DRAWN_SERVICE,
          UNIT,
          REQUESTS,
          WARMUP,
          SEED,
          CONNECTIONS,
          CONNECTION_LIMIT,
          REQUEST_TIMEOUT,
          TIMEOUT,
          DNS,
          DNS_MAX_TTL,
          SPIN,
          PRIORITY,
          ADMIN,
          METRICS,
          UNTIL,
          DRAIN);

  private ComponentKeys() {}

  private static String text(Duration duration) {
    return duration.toMillis() + "ms";
  }
}
