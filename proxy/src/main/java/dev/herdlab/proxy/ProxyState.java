package dev.herdlab.proxy;

import dev.herdlab.balancer.AttemptCounts;
import java.util.List;

/// What the proxies of one process are doing, at one instant: for metrics and for people, so that
/// no other thread ever reads what belongs to the loop.
///
/// Owner thread: any (immutable).
///
/// @param nanos the instant on the loop's clock
/// @param instances in the order of their numbers
/// @param backends what may be picked, in the order of the counts below
/// @param backendSetVersion 1 for the first set, one more for each change
/// @param inFlight requests in flight at all instances, on backends that have left too
/// @param algorithm as it was written; `none` before the first installation
/// @param view as it was written
/// @param refreshNanos between the copies of the view; 0 if it is always fresh
/// @param phase what the present time is called; may be empty
/// @param switches number of installations so far
/// @param board how the counts are shared
public record ProxyState(
    long nanos,
    List<Instance> instances,
    List<BackendAddress> backends,
    long backendSetVersion,
    long inFlight,
    String algorithm,
    String view,
    long refreshNanos,
    String phase,
    long switches,
    Board board) {
  public ProxyState {
    instances = List.copyOf(instances);
    backends = List.copyOf(backends);
  }

  /// Requests in flight on the backend at `index`, at all instances of this process.
  public int inFlightOn(int index) {
    int sum = 0;
    for (Instance instance : instances) {
      sum += instance.inFlightOn().get(index);
    }
    return sum;
  }

  /// One proxy.
  ///
  /// @param number of the proxy
  /// @param port that it listens on; 0 before the start
  /// @param picks made so far
  /// @param inFlight its requests in flight, on backends that have left too
  /// @param inFlightOn the same by backend, in the order of the set
  /// @param viewInFlight what its balancer sees, likewise; zeros before the first installation
  /// @param viewAgeNanos for how long that has not been true; 0 if the view is always fresh, and
  ///     counted from the installation before the first copy
  /// @param refreshes copies that its view was shown since the installation
  /// @param waiting requests that wait for a backend, on none so far
  /// @param connections what it has open
  /// @param signals what it hears from its backends beside responses
  /// @param attempts that its requests took so far
  public record Instance(
      int number,
      int port,
      long picks,
      long inFlight,
      List<Integer> inFlightOn,
      List<Integer> viewInFlight,
      long viewAgeNanos,
      long refreshes,
      int waiting,
      Connections connections,
      Signals signals,
      AttemptCounts attempts) {
    public Instance {
      inFlightOn = List.copyOf(inFlightOn);
      viewInFlight = List.copyOf(viewInFlight);
    }
  }

  /// What a proxy has heard from its backends for its balancers. Probes that were sent and are
  /// neither answered nor lost are under way.
  ///
  /// @param probesSent probes that balancers asked for
  /// @param probesAnswered those of them that had a good reply in time
  /// @param probesLost those that will have none
  /// @param idleStreams backends that tell it now when they become idle
  /// @param idleNotices how often one did
  /// @param reports load reports that were wanted and read
  /// @param unreadableReports load reports that were wanted and could not be read
  public record Signals(
      long probesSent,
      long probesAnswered,
      long probesLost,
      int idleStreams,
      long idleNotices,
      long reports,
      long unreadableReports) {}

  /// What a proxy, or several, have open.
  ///
  /// @param clients connections of clients
  /// @param backends connections to backends: idle, in use or being established
  /// @param idleBackends those of them that wait for use
  /// @param waitingBytes bytes that wait for a client to read or a backend to answer
  public record Connections(int clients, int backends, int idleBackends, long waitingBytes) {
    static final Connections NONE = new Connections(0, 0, 0, 0);

    Connections plus(Connections other) {
      return new Connections(
          clients + other.clients,
          backends + other.backends,
          idleBackends + other.idleBackends,
          waitingBytes + other.waitingBytes);
    }
  }

  /// How the counts are shared.
  ///
  /// @param health of the board
  /// @param ageNanos age of the oldest view; it grows while the board can't deliver
  public record Board(CountBoard.Health health, long ageNanos) {}

  /// The connections of all instances together.
  public Connections connections() {
    Connections sum = Connections.NONE;
    for (Instance instance : instances) {
      sum = sum.plus(instance.connections());
    }
    return sum;
  }
}
