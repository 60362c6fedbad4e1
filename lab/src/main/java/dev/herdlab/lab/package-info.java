/// Experiments, the comparison of a measured run with its model, reports, and the command line.
@NullMarked
package dev.herdlab.lab;

import org.jspecify.annotations.NullMarked;
