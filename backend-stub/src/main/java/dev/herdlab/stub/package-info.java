/// The stub backends: FIFO queues with one server each, behind HTTP.
@NullMarked
package dev.herdlab.stub;

import org.jspecify.annotations.NullMarked;
