package dev.herdlab.balancer;

/// The only doors from an algorithm to its host: an event loop on sockets, an event queue in the
/// model.
///
/// @param clock the instant of the event being handled
/// @param random this balancer's own coins
/// @param timer calls back on the balancer's thread
/// @param prober asks a backend about itself; the answer arrives at [LoadBalancer#observe]
/// @param peers where its proxy stands among all of the system
public record Ports(NanoClock clock, RandomSource random, Timer timer, Prober prober, Peers peers) {

  /// The ports of a proxy that is alone.
  public Ports(NanoClock clock, RandomSource random, Timer timer, Prober prober) {
    this(clock, random, timer, prober, Peers.ALONE);
  }

  /// One proxy among all that serve the same backends.
  ///
  /// @param number its own, 0 to `count` - 1
  /// @param count of all proxies, in all processes
  public record Peers(int number, int count) {
    /// The only proxy.
    public static final Peers ALONE = new Peers(0, 1);

    public Peers {
      if (number < 0 || number >= count) {
        throw new IllegalArgumentException(
            "proxy: " + number + " of " + count + " (expected: 0 to count - 1)");
      }
    }
  }

  /// Monotonic time. Origin: the host's; only differences mean something.
  @FunctionalInterface
  public interface NanoClock {
    /// Nanoseconds since the origin. Within one event it does not move.
    long nanos();
  }

  /// Coins. One draw costs a few nanoseconds.
  public interface RandomSource {
    /// A uniform integer from 0 to `bound` - 1; `bound` must be positive.
    int below(int bound);

    /// A uniform double in [0, 1).
    double unit();
  }

  /// One-shot timers.
  @FunctionalInterface
  public interface Timer {
    /// Runs `task` on the balancer's thread once `delayNanos` have passed.
    void schedule(long delayNanos, Runnable task);
  }

  /// Probes.
  @FunctionalInterface
  public interface Prober {
    /// Sends one probe to the backend at `index` of the current set. The answer comes after this
    /// call has returned; a lost probe is never answered.
    void probe(int index);
  }
}
