package dev.herdlab.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.lab.config.Cell;
import dev.herdlab.simulator.Change;
import dev.herdlab.simulator.Members;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/// Makes a cell's changes through the admin ports of a process of proxies and one of backends, each
/// when it is due, on a thread of its own. It holds from the instant that the process answers,
/// about a millisecond later.
///
/// Owner thread: its maker's.
final class AdminChanges {
  private final Cell cell;
  private final FleetMember proxies;
  private final FleetMember backends;
  private final Map<String, InetSocketAddress> addresses;
  private final long epochNanos;
  private final Members members;
  private final List<Change.Timed> made = new ArrayList<>();
  private int restarts;
  private final Thread thread = Thread.ofVirtual().unstarted(this::run);
  private volatile boolean ended;
  private @Nullable IOException failure;

  /// @param epochNanos the trace's instant 0, on this process's clock
  AdminChanges(Cell cell, Fleet fleet, long epochNanos) throws IOException {
    this.cell = cell;
    this.proxies = fleet.proxies().getFirst();
    this.backends = fleet.backends().getFirst();
    this.addresses = fleet.backendAddresses();
    this.epochNanos = epochNanos;
    this.members = new Members(cell.backends());
  }

  /// Begins to wait for the first.
  void begin() {
    thread.start();
  }

  private void run() {
    try {
      for (Change.Timed timed : cell.plan().changes()) {
        while (System.nanoTime() - (epochNanos + timed.nanos()) < 0 && !ended) {
          LockSupport.parkNanos(epochNanos + timed.nanos() - System.nanoTime());
        }
        if (ended) {
          return;
        }
        make(timed.change());
      }
    } catch (IOException e) {
      failure = e;
    } catch (InterruptedException e) {
      failure = new IOException("interrupted", e);
    }
  }

  /// Makes no more.
  ///
  /// @return those that were made, with the instants at which they were
  /// @throws IOException in one line, if one could not be made
  List<Change.Timed> end() throws IOException, InterruptedException {
    ended = true;
    LockSupport.unpark(thread);
    thread.join();
    if (failure != null) {
      throw failure;
    }
    return List.copyOf(made);
  }

  /// Puts all back as it was at the beginning; the balancers are replaced anyway.
  void undo() throws IOException, InterruptedException {
    Map<String, Object> faults = new LinkedHashMap<>();
    for (int i = 0; i < cell.backends().size(); i++) {
      faults.put(cell.backends().get(i).id(), "none");
    }
    backends.admin().put("/faults", faults);
    backends.admin().put("/speeds", Map.of("speeds", cell.plan().speeds()));
    putMembers(cell.backends());
  }

  private void make(Change change) throws IOException, InterruptedException {
    switch (change) {
      case Change.Fault fault ->
          made(
              change,
              backends,
              backends.admin().put("/faults", Map.of(id(fault.backend()), fault.fault().spec())));
      case Change.Speed speed ->
          made(
              change,
              backends,
              backends.admin().put("/speeds", Map.of(id(speed.backend()), speed.speed())));
      case Change.Weight _, Change.Leave _, Change.Join _ -> {
        BackendSet before = members.now();
        BackendSet set = members.make(change).orElse(before);
        made(change, proxies, putMembers(set));
      }
      case Change.Restart _ ->
          made(
              change,
              proxies,
              proxies
                  .admin()
                  .put(
                      "/algorithm",
                      Map.of(
                          "algorithm", cell.plan().algorithm(),
                          "seed", Change.Restart.seed(cell.plan().seed(), ++restarts))));
    }
  }

  private JsonNode putMembers(BackendSet set) throws IOException, InterruptedException {
    List<String> places = new ArrayList<>();
    List<Integer> weights = new ArrayList<>();
    for (int i = 0; i < set.size(); i++) {
      String id = set.get(i).id();
      InetSocketAddress at = addresses.get(id);
      if (at == null) {
        throw new IOException("backend " + id + ": not there (expected: one of the fleet's)");
      }
      places.add(id + "=" + at.getAddress().getHostAddress() + ":" + at.getPort());
      weights.add(set.get(i).weight());
    }
    Map<String, Object> fields = new HashMap<>();
    fields.put("backends", places);
    fields.put("weights", weights);
    return proxies.admin().put("/backends", fields);
  }

  private void made(Change change, FleetMember by, JsonNode answer) {
    long sinceNanos = by.clock().here(answer.path(BackendComponent.SINCE).asLong());
    made.add(new Change.Timed(sinceNanos - epochNanos, change));
  }

  private String id(int backend) {
    return cell.backends().get(backend).id();
  }
}
