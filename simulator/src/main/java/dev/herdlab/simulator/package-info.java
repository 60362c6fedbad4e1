/// The discrete-event model, the closed forms that it is checked against, and the studies.
@NullMarked
package dev.herdlab.simulator;

import org.jspecify.annotations.NullMarked;
