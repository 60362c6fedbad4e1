/// The load-balancing algorithms, what they know (views) and the one counter of requests in flight
/// (the dispatcher). Hosted unchanged by the proxy and by the model; no I/O, no library.
@NullMarked
package dev.herdlab.balancer;

import org.jspecify.annotations.NullMarked;
