/// What a run gave, as values: cells, comparisons, verdicts.
@NullMarked
package dev.herdlab.lab.result;

import org.jspecify.annotations.NullMarked;
