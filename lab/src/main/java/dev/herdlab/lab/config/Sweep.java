package dev.herdlab.lab.config;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.AttemptPolicy;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.simulator.Model;
import dev.herdlab.workload.ArrivalProcess;
import dev.herdlab.workload.DecimalText;
import dev.herdlab.workload.Queueing;
import dev.herdlab.workload.ServiceLaw;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The cross product of the lists in one set of cell settings, in the order of
/// [ExperimentKeys#CELL]: seeds vary fastest, then algorithms, proxies, views, and so on up to the
/// unit.
///
/// Owner thread: the caller's.
final class Sweep {
  /// The largest number of cells: a typing error in a range should not start a week's work.
  static final int MAX_CELLS = 10_000;

  /// Well below the time after which a generator gives up a request that is lost.
  static final double LONGEST_TIMEOUT_NANOS = 20e9;

  private static final AttemptPolicy.Hedge NEVER = AttemptPolicy.Hedge.NEVER;

  private final Settings settings;
  private final Algorithms algorithms;
  private final List<CellPlan> cells = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();
  private final Events events;

  Sweep(Settings settings, Algorithms algorithms) {
    this.settings = settings;
    this.algorithms = algorithms;
    checkCount();
    this.events = EventCheck.read(settings.all(ExperimentKeys.EVENTS));
    settings.list(ExperimentKeys.UNIT).forEach(this::addOfUnit);
    if (!settlesAnyway()) {
      settings.list(ExperimentKeys.SERVICE).forEach(this::warnOfOverload);
    }
  }

  List<CellPlan> cells() {
    return cells;
  }

  List<String> warnings() {
    return warnings;
  }

  private void checkCount() {
    long count = 1;
    for (Key<?> key : ExperimentKeys.CELL.keys()) {
      if (key.shape() == Key.Shape.SWEEP) {
        count = Math.min(Integer.MAX_VALUE, count * settings.all(key).size());
      }
    }
    if (count > MAX_CELLS) {
      throw settings.error(
          ExperimentKeys.SEEDS, "at most " + MAX_CELLS + " cells; the lists make " + count);
    }
  }

  /// A queue with a limit, or clients that give up, have a steady state at every load.
  private boolean settlesAnyway() {
    return settings.list(ExperimentKeys.QUEUE).stream().allMatch(Optional::isPresent)
        || settings.list(ExperimentKeys.TIMEOUT).stream().allMatch(Optional::isPresent);
  }

  private void warnOfOverload(String service) {
    double meanUnits = ServiceLaw.parse(service).meanUnits();
    for (Settings.Value<Double> rho : settings.all(ExperimentKeys.RHO)) {
      double load = rho.value() * meanUnits;
      if (load >= 1) {
        warnings.add(
            String.format(
                Locale.ROOT,
                "%s: %s x the mean of service %s, %.5f units, is a load of %.5f:"
                    + " no steady state exists, latency grows as long as it runs",
                rho.origin().describe("rho"),
                rho.text(),
                service,
                meanUnits,
                load));
      }
    }
  }

  private void addOfUnit(long unitNanos) {
    for (Settings.Value<String> service : settings.all(ExperimentKeys.SERVICE)) {
      Specs.checkService(service);
      boolean patient = settings.list(ExperimentKeys.TIMEOUT).stream().anyMatch(Optional::isEmpty);
      if (ServiceLaw.parse(service.value()).neverShare() > 0 && patient) {
        throw ConfigException.at(
            service.origin().describe("service"),
            service.text(),
            "a timeout in every cell beside never=, or nothing would end them");
      }
    }
    for (Settings.Value<String> arrivals : settings.all(ExperimentKeys.ARRIVALS)) {
      Specs.checkArrivals(arrivals, unitNanos);
    }
    for (Settings.Value<String> tenants : settings.all(ExperimentKeys.TENANTS)) {
      Specs.checkTenants(tenants);
    }
    for (Settings.Value<String> view : settings.all(ExperimentKeys.VIEW)) {
      Specs.check(view, "view", text -> ViewSpec.parse(text, unitNanos));
    }
    for (Settings.Value<String> algorithm : settings.all(ExperimentKeys.ALGORITHM)) {
      Specs.check(algorithm, "algorithm", text -> algorithms.parse(text, unitNanos));
    }
    List<Serving> servings = servings(unitNanos);
    for (int backends : settings.list(ExperimentKeys.BACKENDS)) {
      List<Double> speeds = perBackend(ExperimentKeys.SPEEDS, backends);
      List<Integer> weights = perBackend(ExperimentKeys.WEIGHTS, backends);
      for (String service : settings.list(ExperimentKeys.SERVICE)) {
        for (String arrivals : settings.list(ExperimentKeys.ARRIVALS)) {
          for (String tenants : settings.list(ExperimentKeys.TENANTS)) {
            for (Serving serving : servings) {
              addOfLoad(
                  new Pool(
                      unitNanos,
                      backends,
                      speeds,
                      weights,
                      ServiceLaw.absolute(service),
                      ArrivalProcess.absolute(arrivals),
                      tenants,
                      serving));
            }
          }
        }
      }
    }
  }

  /// The part of a cell that its pool and its requests' laws are.
  private record Pool(
      long unitNanos,
      int backends,
      List<Double> speeds,
      List<Integer> weights,
      String service,
      String arrivals,
      String tenants,
      Serving serving) {
    private double capacity() {
      return speeds.stream().mapToDouble(Double::doubleValue).sum() * serving.queueing().servers();
    }
  }

  private List<Serving> servings(long unitNanos) {
    List<Serving> servings = new ArrayList<>();
    for (Queueing.Discipline discipline : settings.list(ExperimentKeys.DISCIPLINE)) {
      for (int servers : settings.list(ExperimentKeys.SERVERS)) {
        for (Optional<Integer> limit : settings.list(ExperimentKeys.QUEUE)) {
          if (limit.isPresent() && limit.get() < servers) {
            throw settings.error(
                ExperimentKeys.QUEUE, "none, or at least as many as the servers, " + servers);
          }
          Queueing queueing = new Queueing(discipline, servers, limit.orElse(Queueing.UNBOUNDED));
          for (Optional<Double> units : settings.list(ExperimentKeys.TIMEOUT)) {
            for (AttemptPolicy attempts : attempts(unitNanos)) {
              servings.add(new Serving(queueing, timeoutNanos(units, unitNanos), attempts));
            }
          }
        }
      }
    }
    return servings;
  }

  private List<AttemptPolicy> attempts(long unitNanos) {
    List<AttemptPolicy> policies = new ArrayList<>();
    for (int retries : settings.list(ExperimentKeys.RETRIES)) {
      for (Optional<Double> share : settings.list(ExperimentKeys.RETRY_BUDGET)) {
        if (retries == 0 && share.isPresent()) {
          throw settings.error(ExperimentKeys.RETRY_BUDGET, "none, or retries of 1 or more");
        }
        AttemptPolicy.Budget budget =
            share.map(AttemptPolicy.Budget::new).orElse(AttemptPolicy.Budget.NONE);
        for (Optional<String> hedge : settings.list(ExperimentKeys.HEDGE)) {
          policies.add(
              new AttemptPolicy(
                  retries, budget, hedge.map(it -> hedge(it, unitNanos)).orElse(NEVER)));
        }
      }
    }
    return policies;
  }

  private AttemptPolicy.Hedge hedge(String text, long unitNanos) {
    if (!text.startsWith("p")) {
      double nanos = DecimalText.read(text) * unitNanos;
      if (!(nanos >= 1 && nanos <= LONGEST_TIMEOUT_NANOS)) {
        throw settings.error(
            ExperimentKeys.HEDGE, "none, a percentile, or units that are 1 ns to 20 s long");
      }
    }
    return AttemptText.hedge(text, unitNanos);
  }

  private long timeoutNanos(Optional<Double> units, long unitNanos) {
    if (units.isEmpty()) {
      return Model.NO_TIMEOUT;
    }
    double nanos = units.get() * unitNanos;
    if (!(nanos >= 1 && nanos <= LONGEST_TIMEOUT_NANOS)) {
      throw settings.error(ExperimentKeys.TIMEOUT, "none, or units that are 1 ns to 20 s long");
    }
    return Math.round(nanos);
  }

  private <T> List<T> perBackend(Key<T> key, int backends) {
    List<T> given = settings.list(key);
    if (given.size() == 1) {
      return Collections.nCopies(backends, given.getFirst());
    }
    if (given.size() != backends) {
      throw settings.error(key, "one number, or one for each of the " + backends + " backends");
    }
    return given;
  }

  private List<String> choices(int proxies) {
    for (Settings.Value<String> choice : settings.all(ExperimentKeys.PROXY_CHOICE)) {
      Specs.checkProxyChoice(choice, proxies);
    }
    return settings.list(ExperimentKeys.PROXY_CHOICE);
  }

  private void addOfLoad(Pool pool) {
    for (double rho : settings.list(ExperimentKeys.RHO)) {
      for (int requests : settings.list(ExperimentKeys.REQUESTS)) {
        for (Portion warmup : settings.list(ExperimentKeys.WARMUP)) {
          if (warmup.of(requests) >= requests) {
            throw settings.error(ExperimentKeys.WARMUP, "fewer than the requests, " + requests);
          }
          addOfPicks(pool, rho, requests, warmup.of(requests));
        }
      }
    }
  }

  private void addOfPicks(Pool pool, double rho, int requests, int warmup) {
    List<Settings.Value<String>> written = settings.all(ExperimentKeys.EVENTS);
    double lengthUnits = requests / (rho * pool.capacity());
    EventCheck.check(events, written, pool.backends, lengthUnits, pool.unitNanos, pool.serving);
    for (String view : settings.list(ExperimentKeys.VIEW)) {
      for (int proxies : settings.list(ExperimentKeys.PROXIES)) {
        for (String choice : choices(proxies)) {
          for (String algorithm : settings.list(ExperimentKeys.ALGORITHM)) {
            for (long seed : settings.list(ExperimentKeys.SEEDS)) {
              cells.add(
                  new CellPlan(
                      pool.unitNanos,
                      pool.backends,
                      pool.speeds,
                      pool.weights,
                      pool.service,
                      pool.arrivals,
                      pool.tenants,
                      proxies,
                      choice,
                      rho,
                      requests,
                      warmup,
                      seed,
                      algorithm,
                      view,
                      pool.serving,
                      events));
            }
          }
        }
      }
    }
  }
}
