/// The live run: testbeds on real sockets in one process or several, the instruments that watch the
/// measurement, the folder that keeps it, and the self-test.
@NullMarked
package dev.herdlab.lab.run;

import org.jspecify.annotations.NullMarked;
