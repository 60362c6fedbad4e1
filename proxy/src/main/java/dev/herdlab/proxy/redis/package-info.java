/// Counts that several processes share through Redis: the [dev.herdlab.proxy.CountBoard] for
/// proxies that are not all in one process.
@NullMarked
package dev.herdlab.proxy.redis;

import org.jspecify.annotations.NullMarked;
