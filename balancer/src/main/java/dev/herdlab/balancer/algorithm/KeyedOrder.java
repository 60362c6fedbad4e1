package dev.herdlab.balancer.algorithm;

/// An order of all backends that a key alone determines: a shuffle with the key as its seed.
///
/// Cost: [#begin] a seeding of MT19937, about 2 us, and O(n); [#next] a number or two, about 1 us
/// for the first. Owner thread: its balancer's.
/// Source: Envoy thread_aware_lb_impl.cc (`BoundedLoadHashingLoadBalancer::chooseHost`), commit
/// 0336fd6.
final class KeyedOrder {
  private final MersenneTwister numbers = new MersenneTwister();
  private int[] order = new int[0];
  private int at;

  /// Starts the order of `key`; its low 32 bits count.
  ///
  /// @param size number of backends
  void begin(long key, int size) {
    numbers.seed(key);
    if (order.length != size) {
      order = new int[size];
    }
    for (int i = 0; i < size; i++) {
      order[i] = i;
    }
    at = 0;
  }

  /// The next index; at most as many as there are backends.
  int next() {
    int drawn = at + below(order.length - at);
    int index = order[drawn];
    order[drawn] = order[at];
    order[at] = index;
    at++;
    return index;
  }

  /// Uniform below `bound`: the 2^32 numbers in `bound` equal parts, those left over drawn again.
  private int below(int bound) {
    long part = 0x1_0000_0000L / bound;
    long drawn;
    do {
      drawn = Integer.toUnsignedLong(numbers.bits()) / part;
    } while (drawn >= bound);
    return (int) drawn;
  }
}
