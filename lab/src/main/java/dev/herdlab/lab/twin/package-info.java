/// The analysis of one measured attempt: replay, pick audit, twin, error budget, verdict. Pure: no
/// sockets, no clock.
@NullMarked
package dev.herdlab.lab.twin;

import org.jspecify.annotations.NullMarked;
