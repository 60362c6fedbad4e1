/// The open-loop generator: a schedule fixed in advance, and latencies from its intended instants.
@NullMarked
package dev.herdlab.loadgen;

import org.jspecify.annotations.NullMarked;
