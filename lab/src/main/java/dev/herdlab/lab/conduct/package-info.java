/// The conductor: an experiment's cells as phases of a running system, whose load never stops.
@NullMarked
package dev.herdlab.lab.conduct;

import org.jspecify.annotations.NullMarked;
