package dev.herdlab.lab.run;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.lab.config.Cell;
import dev.herdlab.proxy.BackendAddress;
import dev.herdlab.proxy.ProxyPool;
import dev.herdlab.simulator.Change;
import dev.herdlab.simulator.Members;
import dev.herdlab.stub.StubChange;
import dev.herdlab.stub.StubPool;
import dev.herdlab.transport.Deadline;
import dev.herdlab.transport.PreciseLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Makes a cell's changes in the process that has everything, on its loop, each when it is due.
///
/// Owner thread: the loop's.
final class LoopChanges {
  private final PreciseLoop loop;
  private final Cell cell;
  private final StubPool backends;
  private final ProxyPool proxies;
  private final List<BackendAddress> addresses;
  private final long epochNanos;
  private final Members members;
  private final List<Deadline> due = new ArrayList<>();
  private final List<Change.Timed> made = new ArrayList<>();
  private int restarts;

  /// @param addresses of the cell's backends, in their order
  /// @param epochNanos the trace's instant 0
  LoopChanges(
      PreciseLoop loop,
      Cell cell,
      StubPool backends,
      ProxyPool proxies,
      List<BackendAddress> addresses,
      long epochNanos) {
    this.loop = loop;
    this.cell = cell;
    this.backends = backends;
    this.proxies = proxies;
    this.addresses = addresses;
    this.epochNanos = epochNanos;
    this.members = new Members(cell.backends());
  }

  /// Waits for each.
  void begin() {
    for (Change.Timed timed : cell.plan().changes()) {
      due.add(loop.at(epochNanos + timed.nanos(), () -> make(timed.change())));
    }
  }

  /// Makes no more.
  ///
  /// @return those that were made, with the instants at which they were
  List<Change.Timed> end() {
    due.forEach(Deadline::cancel);
    return List.copyOf(made);
  }

  private void make(Change change) {
    long sinceNanos =
        switch (change) {
          case Change.Fault fault ->
              backends.change(new StubChange.Faults(Map.of(id(fault.backend()), fault.fault())));
          case Change.Speed speed ->
              backends.change(new StubChange.Speeds(Map.of(id(speed.backend()), speed.speed())));
          case Change.Weight _, Change.Leave _, Change.Join _ -> {
            long nowNanos = loop.nanos();
            members.make(change).ifPresent(set -> proxies.update(placed(set)));
            yield nowNanos;
          }
          case Change.Restart _ -> {
            long nowNanos = loop.nanos();
            long seed = Change.Restart.seed(cell.plan().seed(), ++restarts);
            proxies.install(cell.algorithm(), cell.view(), seed, epochNanos);
            yield nowNanos;
          }
        };
    made.add(new Change.Timed(sinceNanos - epochNanos, change));
  }

  private List<BackendAddress> placed(BackendSet set) {
    List<BackendAddress> placed = new ArrayList<>();
    for (int i = 0; i < set.size(); i++) {
      int number = cell.backends().indexOf(set.get(i).id());
      placed.add(new BackendAddress(set.get(i), addresses.get(number).address()));
    }
    return placed;
  }

  private String id(int backend) {
    return cell.backends().get(backend).id();
  }
}
