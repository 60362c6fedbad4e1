/// JMH benchmarks of the hot paths, and runs beside other programs.
@NullMarked
package dev.herdlab.benchmarks;

import org.jspecify.annotations.NullMarked;
