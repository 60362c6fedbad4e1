/// Discovery of backends and proxies through DNS, the DNS studies, and the authoritative server
/// that they can run against.
@NullMarked
package dev.herdlab.dns;

import org.jspecify.annotations.NullMarked;
