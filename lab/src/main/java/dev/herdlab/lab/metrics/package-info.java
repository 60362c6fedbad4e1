/// What each process tells Prometheus: one class a process declares its metrics, and the loop's
/// events come to them in batches.
@NullMarked
package dev.herdlab.lab.metrics;

import org.jspecify.annotations.NullMarked;
