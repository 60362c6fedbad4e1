package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;

/// HAProxy's `roundrobin`: weighted round-robin over positions. A cycle has as many positions as
/// the weights add up to; a picked server's next place is sum / weight positions on, remainders
/// saved up.
///
/// Servers wait in three rooms: the present cycle, by position; the next one, and those not yet
/// taken in this one, both heaviest first.
///
/// Cost: O(n): rooms are scanned here, where HAProxy keeps trees. Owner thread: its dispatcher's.
/// Source: HAProxy src/lb_fwrr.c (3.5-dev5, commit 50872da), with one thread group.
/// Deviation: a server whose weight changes keeps its place in this cycle.
final class HaproxyRoundRobin implements LoadBalancer {
  private static final int SCALE = 16;
  private static final int MAX_WEIGHT = 256;
  private static final int MAX_EFFECTIVE_WEIGHT = SCALE * MAX_WEIGHT;

  private final PerBackend<Server> servers;
  private long arrivals;
  private long cyclePositions;
  private long position;

  private enum Room {
    INIT,
    CURRENT,
    NEXT
  }

  /// HAProxy's names: `npos`, `rweight`, `lb_node.key`.
  private static final class Server {
    private final int weight;
    private Room room = Room.INIT;
    private long next;
    private long remainder;
    private long key;
    private long arrival;

    private Server(int weight) {
      this.weight = weight;
    }
  }

  HaproxyRoundRobin(BackendSet backends) {
    this.servers = new PerBackend<>(backends, backend -> new Server(SCALE * backend.weight()));
    this.cyclePositions = sumOfWeights();
    this.position = cyclePositions;
    for (int i = 0; i < servers.size(); i++) {
      queueByWeight(servers.get(i), Room.INIT);
    }
  }

  private long sumOfWeights() {
    long sum = 0;
    for (int i = 0; i < servers.size(); i++) {
      sum += servers.get(i).weight;
    }
    return sum;
  }

  private void enter(Server server, Room room, long key) {
    server.room = room;
    server.key = key;
    server.arrival = arrivals;
    arrivals++;
  }

  private void queueByWeight(Server server, Room room) {
    enter(server, room, MAX_EFFECTIVE_WEIGHT - server.weight);
  }

  /// Into this cycle by its position, or into the next one if that lies beyond.
  private void queue(Server server, long nextSum) {
    if (server.next >= 2 * cyclePositions || server.next >= cyclePositions + nextSum) {
      server.next -= cyclePositions;
      queueByWeight(server, Room.NEXT);
    } else {
      long order = MAX_EFFECTIVE_WEIGHT + server.remainder - server.weight;
      enter(server, Room.CURRENT, MAX_WEIGHT * server.next + order / SCALE);
    }
  }

  @Override
  public PickResult pick(PickContext context) {
    BackendSet backends = servers.backends();
    if (backends.size() == 0) {
      return NoBackend.EMPTY_SET;
    }
    long sum = sumOfWeights();
    int index = fromThisCycle();
    if (index < 0) {
      switchRooms(sum);
      index = fromThisCycle();
    }
    Server server = servers.get(index);
    if (server.next == 0) {
      server.next = position;
    }
    server.next += sum / server.weight;
    server.remainder += sum % server.weight;
    if (server.remainder >= server.weight) {
      server.remainder -= server.weight;
      server.next++;
    }
    position++;
    queue(server, sum);
    return new Picked(backends, index);
  }

  /// The first of this cycle if it is due, else the first of those not yet taken, else whoever is
  /// first; -1 if both rooms are empty.
  private int fromThisCycle() {
    int current = first(Room.CURRENT);
    if (current >= 0 && servers.get(current).next <= position) {
      return current;
    }
    int waiting = first(Room.INIT);
    if (waiting < 0) {
      return current;
    }
    servers.get(waiting).next = 0;
    servers.get(waiting).remainder = 0;
    return waiting;
  }

  private int first(Room room) {
    int first = -1;
    for (int i = 0; i < servers.size(); i++) {
      Server server = servers.get(i);
      if (server.room == room && (first < 0 || isBefore(server, servers.get(first)))) {
        first = i;
      }
    }
    return first;
  }

  private static boolean isBefore(Server one, Server other) {
    return one.key < other.key || (one.key == other.key && one.arrival < other.arrival);
  }

  /// Those of the next cycle are now those not yet taken.
  private void switchRooms(long sum) {
    for (int i = 0; i < servers.size(); i++) {
      servers.get(i).room = servers.get(i).room == Room.NEXT ? Room.INIT : servers.get(i).room;
    }
    cyclePositions = sum;
    position = sum;
  }

  @Override
  public void update(BackendSet next) {
    BackendSet before = servers.backends();
    servers.update(next);
    long sum = sumOfWeights();
    if (cyclePositions == 0) {
      cyclePositions = sum;
      position = sum;
    }
    for (int i = 0; i < next.size(); i++) {
      if (before.indexOf(next.get(i).id()) < 0) {
        Server joined = servers.get(i);
        joined.next = position + (sum + cyclePositions - position) / joined.weight;
        queue(joined, sum);
      }
    }
  }
}
