package dev.herdlab.lab;

import dev.herdlab.dns.AskedRotation;
import dev.herdlab.dns.DnsServer;
import dev.herdlab.dns.IdealRotation;
import dev.herdlab.dns.ResolvingClients;
import dev.herdlab.dns.Rotation;
import dev.herdlab.dns.ServedFiles;
import dev.herdlab.dns.Skew;
import dev.herdlab.lab.config.Cell;
import dev.herdlab.lab.config.Experiment;
import dev.herdlab.lab.config.ExperimentKeys;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.lab.result.CellResult;
import dev.herdlab.lab.result.DnsSkewResult;
import dev.herdlab.simulator.StudentT;
import dev.herdlab.workload.RandomStream;
import dev.herdlab.workload.Trace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/// Requests whose clients find the proxies through DNS: where they go by the answers of a real
/// server, and by the model.
///
/// The requests are those of an experiment, drawn by its seed; only the proxy of each comes from
/// DNS. Their time is compressed while the server is asked: nobody waits, and a second of TTL is a
/// unit. The server, the packets and the order of the questions are real. With a rotation without
/// coins every request must go where the model says; with coins, the numbers must lie in the
/// interval that the model's runs predict for one more (as the twin's do, see `run`). Owner thread:
/// the command's.
final class DnsSkewStudy {
  private static final String NAME = "proxies.herdlab.test";
  private static final double CONFIDENCE = 0.995;
  private static final double LEAST_SHARE = 0.01;

  // Far from any seed that a person would write, so that no model has the coins of the server.
  private static final long FIRST_MODEL_SEED = 0x646E_7300_0000_0000L;

  private final Settings settings;
  private final Path folder;
  private final Experiment experiment;
  private final Trace trace;
  private final long[] instantsNanos;
  private final List<InetAddress> addresses;

  /// One combination of the factors.
  ///
  /// @param ttl in units
  record Factors(Rotation rotation, int clients, int ttl) {
    String rotationWord() {
      return rotation.name().toLowerCase(Locale.ROOT);
    }
  }

  /// Where requests went. Owner thread: any (nothing changes).
  static final class Asked {
    private final int[] proxies;
    private final int questions;

    private Asked(int[] proxies, int questions) {
      this.proxies = proxies;
      this.questions = questions;
    }
  }

  /// @param folder for zone files; the caller's to delete
  DnsSkewStudy(Settings settings, Path folder) {
    this.settings = settings;
    this.folder = folder;
    this.experiment = Experiment.load(Optional.empty(), sets(settings), Map.of());
    this.trace = cell().trace();
    this.instantsNanos =
        LongStream.range(0, trace.size()).map(i -> trace.intendedNanos((int) i)).toArray();
    this.addresses =
        IntStream.range(0, settings.get(DnsSkewKeys.PROXIES))
            .mapToObj(DnsSkewStudy::address)
            .toList();
  }

  /// The experiment that the requests are of, as `key=value`.
  static List<String> sets(Settings settings) {
    return List.of(
        "proxies=" + settings.get(DnsSkewKeys.PROXIES),
        "requests=" + settings.get(DnsSkewKeys.REQUESTS),
        "seeds=" + settings.get(DnsSkewKeys.SEED),
        "unit=" + settings.get(DnsSkewKeys.UNIT) + "ns",
        "backends=" + settings.get(DnsSkewKeys.BACKENDS),
        "rho=" + settings.get(DnsSkewKeys.RHO),
        "algorithm=" + settings.get(DnsSkewKeys.ALGORITHM),
        "view=" + settings.get(DnsSkewKeys.VIEW),
        "burn-in=" + settings.get(ExperimentKeys.BURN_IN) + "ns",
        "attempts=" + settings.get(ExperimentKeys.ATTEMPTS),
        "model-requests=0");
  }

  /// Every combination, TTL fastest.
  List<Factors> factors() {
    List<Factors> all = new ArrayList<>();
    for (Rotation rotation : settings.list(DnsSkewKeys.ROTATION)) {
      for (int clients : settings.list(DnsSkewKeys.CLIENTS)) {
        for (int ttl : settings.list(DnsSkewKeys.TTL)) {
          all.add(new Factors(rotation, clients, ttl));
        }
      }
    }
    return all;
  }

  /// Of the requests, as a measured run would plan them.
  Cell cell() {
    return Cell.of(experiment.cells().getFirst(), experiment.algorithms());
  }

  /// The requests with the proxies that DNS gave.
  Trace routed(Asked asked) {
    long[] service =
        LongStream.range(0, trace.size()).map(i -> trace.serviceNanos((int) i)).toArray();
    return Trace.of(addresses.size(), instantsNanos, asked.proxies, service);
  }

  /// Asks a server of its own for the clients, over loopback.
  Asked measure(Factors factors) throws IOException {
    Path zone = Files.writeString(folder.resolve("proxies.zone"), zone(factors.ttl()));
    ServedFiles files = ServedFiles.parse(List.of(NAME + "=" + zone), List.of());
    RandomStream coins = RandomStream.of(settings.get(DnsSkewKeys.SEED), "dns-rotation");
    InetSocketAddress anywhere = DnsServer.listenAddress("127.0.0.1:0");
    try (DnsServer server =
        new DnsServer(files, anywhere, factors.rotation(), coins::below, System::nanoTime)) {
      server.start();
      InetSocketAddress address = new InetSocketAddress(anywhere.getAddress(), server.port());
      return asked(
          factors, new AskedRotation(NAME, address, addresses, settings.get(DnsSkewKeys.UNIT)));
    }
  }

  private Asked asked(Factors factors, ResolvingClients.Resolver resolver) {
    RandomStream clients = RandomStream.of(settings.get(DnsSkewKeys.SEED), "dns-client");
    ResolvingClients resolving = new ResolvingClients(factors.clients(), resolver, clients::below);
    return new Asked(resolving.proxies(instantsNanos), resolving.questions());
  }

  /// The row of a combination.
  DnsSkewResult.Row row(Factors factors, Asked measured, Optional<DnsSkewResult.Http> http) {
    boolean coins = factors.rotation() == Rotation.RANDOM;
    int runs = coins ? settings.get(DnsSkewKeys.MODEL_SEEDS) : 1;
    List<Asked> modelled =
        IntStream.range(0, runs)
            .mapToObj(run -> modelled(factors, FIRST_MODEL_SEED + run))
            .toList();
    int different = coins ? 0 : different(measured.proxies, modelled.getFirst().proxies);
    Skew skew = skew(measured);
    List<Skew> skews = modelled.stream().map(this::skew).toList();
    DnsSkewResult.Model model =
        new DnsSkewResult.Model(
            runs,
            different,
            spread(skew, skews, different, Skew::largest),
            spread(skew, skews, different, Skew::variation),
            spread(skew, skews, different, Skew::window));
    return new DnsSkewResult.Row(
        factors.rotationWord(),
        factors.clients(),
        factors.ttl(),
        measured.questions,
        skew,
        model,
        http);
  }

  private Asked modelled(Factors factors, long seed) {
    RandomStream coins = RandomStream.of(seed, "dns-rotation");
    long ttlNanos = factors.ttl() * settings.get(DnsSkewKeys.UNIT);
    return asked(
        factors, new IdealRotation(addresses.size(), ttlNanos, factors.rotation(), coins::below));
  }

  private Skew skew(Asked asked) {
    long windowNanos =
        Math.max(1, Math.round(settings.get(DnsSkewKeys.WINDOW) * settings.get(DnsSkewKeys.UNIT)));
    return Skew.of(asked.proxies, instantsNanos, addresses.size(), windowNanos);
  }

  private static int different(int[] one, int[] other) {
    return (int) IntStream.range(0, one.length).filter(i -> one[i] != other[i]).count();
  }

  private static CellResult.Spread spread(
      Skew measured, List<Skew> modelled, int different, ToDoubleFunction<Skew> value) {
    int runs = modelled.size();
    double mean = modelled.stream().mapToDouble(value).average().orElseThrow();
    if (runs == 1) {
      return new CellResult.Spread(mean, 0, different == 0);
    }
    double squares = modelled.stream().mapToDouble(value).map(x -> (x - mean) * (x - mean)).sum();
    double sd = Math.sqrt(squares / (runs - 1));
    double interval = StudentT.quantile(CONFIDENCE, runs - 1) * sd * Math.sqrt(1 + 1.0 / runs);
    double away = Math.abs(value.applyAsDouble(measured) - mean);
    return new CellResult.Spread(mean, sd, away <= Math.max(interval, LEAST_SHARE * mean));
  }

  /// The result of rows.
  DnsSkewResult result(List<DnsSkewResult.Row> rows) {
    return new DnsSkewResult(
        addresses.size(),
        trace.size(),
        cell().plan().arrivalsPerUnit(),
        settings.get(DnsSkewKeys.SEED),
        settings.get(DnsSkewKeys.WINDOW),
        rows);
  }

  private String zone(int ttl) {
    StringBuilder zone =
        new StringBuilder("$TTL " + ttl + "\n@ SOA ns admin 1 60 60 60 60\n@ NS ns\n");
    addresses.forEach(address -> zone.append("@ A ").append(address.getHostAddress()).append('\n'));
    return zone.toString();
  }

  /// Stands for a proxy in answers: 127.1.0.1 for number 0, and so on.
  private static InetAddress address(int proxy) {
    int number = proxy + 1;
    try {
      return InetAddress.getByAddress(new byte[] {127, 1, (byte) (number >> 8), (byte) number});
    } catch (UnknownHostException e) {
      throw new IllegalStateException("four bytes are no address", e);
    }
  }
}
