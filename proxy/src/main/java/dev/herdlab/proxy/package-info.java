/// The reverse proxy: one instance is one event loop, one view and one balancer.
@NullMarked
package dev.herdlab.proxy;

import org.jspecify.annotations.NullMarked;
