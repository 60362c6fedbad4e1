/// The studies: each answers one question with the model alone, in rows that any format can show.
@NullMarked
package dev.herdlab.simulator.study;

import org.jspecify.annotations.NullMarked;
