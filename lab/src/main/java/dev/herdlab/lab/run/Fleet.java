package dev.herdlab.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.lab.admin.AdminClient;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The lab's view of a running system: the processes of proxies, backends and generators, by their
/// admin ports. It knows who was there when it last looked, and speaks to many at once.
///
/// A process that fails to answer is one `IOException`, in a line that names it. Numbers of proxies
/// run through the processes in their order: the first process's instances come first. Cost: a
/// connection and a virtual thread a question. Owner thread: its user's looks; any may do the rest.
public final class Fleet implements AutoCloseable {
  // A look is to end soon, whoever hangs.
  private static final Duration LOOK_BOUND = Duration.ofSeconds(5);

  private final HttpClient http = AdminClient.http();
  private final Places places;
  private final Resolver resolver;
  private volatile List<FleetMember> proxies = List.of();
  private volatile List<FleetMember> backends = List.of();
  private volatile List<FleetMember> generators = List.of();

  /// Where the admin ports are, in the resolver's words. Owner thread: any (immutable).
  public record Places(List<String> proxies, List<String> backends, List<String> generators) {
    public Places {
      proxies = List.copyOf(proxies);
      backends = List.copyOf(backends);
      generators = List.copyOf(generators);
    }
  }

  /// What a place stands for at the moment.
  @FunctionalInterface
  public interface Resolver extends AutoCloseable {
    /// Its addresses, resolved, in a stable order.
    ///
    /// @throws IOException in one line, if they are not to be had
    List<InetSocketAddress> addresses(String place) throws IOException, InterruptedException;

    /// Ends what it does in the background.
    @Override
    default void close() {}
  }

  /// What was different at a look. Owner thread: any (immutable).
  ///
  /// @param joined are there now and were not
  /// @param left were there and are not, or do not answer
  /// @param restarted are there as before, but have begun anew: they have forgotten everything
  /// @param silent a line for each place or process that has no answer
  public record Change(
      List<FleetMember> joined,
      List<FleetMember> left,
      List<FleetMember> restarted,
      List<String> silent) {
    /// Whether nothing was different.
    public boolean isNone() {
      return joined.isEmpty() && left.isEmpty() && restarted.isEmpty();
    }
  }

  /// A fleet that has not looked yet, and is empty.
  ///
  /// @param resolver is closed with it
  public Fleet(Places places, Resolver resolver) {
    this.places = places;
    this.resolver = resolver;
  }

  /// Looks who is there, and how they are. Who does not answer is not there.
  public Change look() throws InterruptedException {
    List<String> silent = new ArrayList<>();
    List<FleetMember> before = all();
    proxies = look("proxy", places.proxies(), silent);
    backends = look("backend", places.backends(), silent);
    generators = look("loadgen", places.generators(), silent);
    List<FleetMember> now = all();
    return new Change(
        now.stream().filter(member -> !hasPlace(before, member)).toList(),
        before.stream().filter(member -> !hasPlace(now, member)).toList(),
        now.stream()
            .filter(
                member ->
                    hasPlace(before, member)
                        && !incarnations(before).contains(member.process().incarnation()))
            .toList(),
        silent);
  }

  private static boolean hasPlace(List<FleetMember> members, FleetMember one) {
    return members.stream().anyMatch(other -> other.toString().equals(one.toString()));
  }

  private static List<String> incarnations(List<FleetMember> members) {
    return members.stream().map(member -> member.process().incarnation()).toList();
  }

  private List<FleetMember> look(String component, List<String> where, List<String> silent)
      throws InterruptedException {
    List<InetSocketAddress> addresses = new ArrayList<>();
    for (String place : where) {
      try {
        addresses.addAll(resolver.addresses(place));
      } catch (IOException e) {
        silent.add(String.valueOf(e.getMessage()));
      }
    }
    Together.Tried<FleetMember> seen =
        Together.tryAll(addresses, address -> see(component, address));
    silent.addAll(seen.failures());
    return seen.answers();
  }

  private FleetMember see(String component, InetSocketAddress address)
      throws IOException, InterruptedException {
    AdminClient admin = new AdminClient(http, component, address);
    AdminClient quick = admin.within(LOOK_BOUND);
    JsonNode state = quick.get("/state");
    if (!state.path("component").asText().equals(component)) {
      throw new IOException(
          "%s: component: %s (expected: %s)"
              .formatted(address, state.path("component").asText(), component));
    }
    return new FleetMember(admin, clock(quick, state), ProcessState.of(state), state);
  }

  /// The clock of a process does not change while it lives.
  private ClockMapping clock(AdminClient admin, JsonNode state)
      throws IOException, InterruptedException {
    for (FleetMember known : all()) {
      if (known.process().incarnation().equals(state.path("incarnation").asText())) {
        return known.clock();
      }
    }
    return ClockMapping.of(admin);
  }

  /// All, as at the last look: generators, proxies, backends.
  public List<FleetMember> all() {
    List<FleetMember> all = new ArrayList<>(generators);
    all.addAll(proxies);
    all.addAll(backends);
    return all;
  }

  /// The processes of proxies, as at the last look.
  public List<FleetMember> proxies() {
    return proxies;
  }

  /// The processes of backends, as at the last look.
  public List<FleetMember> backends() {
    return backends;
  }

  /// The generators, as at the last look.
  public List<FleetMember> generators() {
    return generators;
  }

  /// Where the proxies listen, by number.
  public List<InetSocketAddress> proxyAddresses() {
    return proxies.stream().flatMap(member -> member.addresses().stream()).toList();
  }

  /// Where the backends listen, by what the stubs call themselves.
  ///
  /// @throws IOException if two have one name
  public Map<String, InetSocketAddress> backendAddresses() throws IOException {
    Map<String, InetSocketAddress> byId = new LinkedHashMap<>();
    for (FleetMember member : backends) {
      List<InetSocketAddress> addresses = member.addresses();
      for (int i = 0; i < addresses.size(); i++) {
        String id = member.state().path("backends").path(i).path("id").asText();
        if (byId.put(id, addresses.get(i)) != null) {
          throw new IOException(
              member + ": backend " + id + " (expected: another name, which no other process has)");
        }
      }
    }
    return byId;
  }

  /// Has all proxies open their connections to backends, and all generators theirs to proxies.
  public void connect() throws IOException, InterruptedException {
    Together.ask(proxies, member -> member.admin().post("/warm"));
    Together.ask(generators, member -> member.admin().post("/connect"));
  }

  /// Tells all generators who the proxies are: from then on number and place agree with
  /// [#proxyAddresses].
  public void aim() throws IOException, InterruptedException {
    List<String> addresses =
        proxyAddresses().stream()
            .map(at -> at.getAddress().getHostAddress() + ":" + at.getPort())
            .toList();
    Together.ask(
        generators, member -> member.admin().put("/proxies", Map.of("proxies", addresses)));
  }

  /// Gives all proxies fresh balancers and views, at once; what they have recorded so far goes to
  /// the previous record.
  ///
  /// @param epochNanos the instant, on this process's clock, that their records and copies count
  ///     from
  public void install(Balancing balancing, long epochNanos)
      throws IOException, InterruptedException {
    record Part(FleetMember member, int firstProxy) {}
    List<Part> parts = new ArrayList<>();
    int first = 0;
    for (FleetMember member : proxies) {
      parts.add(new Part(member, first));
      first += member.addresses().size();
    }
    int all = first;
    Together.ask(
        parts,
        part ->
            part.member()
                .admin()
                .put(
                    "/balancer",
                    Map.of(
                        "algorithm", balancing.algorithm(),
                        "view", balancing.view(),
                        "unit_ns", balancing.unitNanos(),
                        "seed", balancing.seed(),
                        "epoch_ns", part.member().clock().there(epochNanos),
                        "first_proxy", part.firstProxy(),
                        "proxies", all,
                        "phase", balancing.phase(),
                        "record_events", balancing.recordEvents())));
  }

  /// Has every process collect its garbage now, so that it need not later, and begin anew to watch
  /// for stalls.
  ///
  /// @return their states, in the order of [#all]
  public List<ProcessState> collect() throws IOException, InterruptedException {
    return Together.ask(all(), member -> ProcessState.of(member.admin().post("/collect")));
  }

  /// Has every process begin anew to watch for stalls.
  ///
  /// @return their states, in the order of [#all]; those that do not answer are missing
  public List<ProcessState> watch() throws InterruptedException {
    return answering(admin -> admin.post("/watch"));
  }

  /// The states of all processes that still answer, in the order of [#all].
  public List<ProcessState> states() throws InterruptedException {
    return answering(admin -> admin.get("/state"));
  }

  private List<ProcessState> answering(Together.Question<AdminClient, JsonNode> question)
      throws InterruptedException {
    return Together.tryAll(all(), member -> question.ask(member.admin().within(LOOK_BOUND)))
        .answers()
        .stream()
        .map(ProcessState::of)
        .toList();
  }

  /// What all proxies have in flight now.
  public long inFlight() throws IOException, InterruptedException {
    return Together.ask(proxies, member -> member.admin().get("/state").path("in_flight").asLong())
        .stream()
        .mapToLong(Long::longValue)
        .sum();
  }

  /// The run under an id, on one generator.
  public GeneratorRun run(FleetMember generator, String id) {
    return new GeneratorRun(generator, id);
  }

  /// What the proxies recorded.
  ///
  /// @param dispatches of all that answered, in one record
  /// @param silent a line for each process that did not
  public record Recorded(Dispatches dispatches, List<String> silent) {}

  /// What the balancers of all proxies saw; see [Dispatches].
  ///
  /// @param part which of the two records that each process keeps
  public Recorded recorded(Dispatches.Part part) throws InterruptedException {
    Together.Tried<Dispatches> tried =
        Together.tryAll(proxies, member -> Dispatches.of(member.admin(), part));
    return new Recorded(Dispatches.merge(tried.answers()), tried.failures());
  }

  @Override
  public void close() {
    http.shutdownNow();
    resolver.close();
  }
}
