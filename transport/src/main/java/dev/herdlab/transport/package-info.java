/// What the proxy, the stub backends and the generator need of Netty: the precise event loop, the
/// head scanner, body framing and header names.
@NullMarked
package dev.herdlab.transport;

import org.jspecify.annotations.NullMarked;
