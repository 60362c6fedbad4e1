/// What is asked of the backends: arrivals, service laws, random streams, the FIFO server and the
/// trace of a run. Shared by the stub, the generator and the model; no sockets, no library.
@NullMarked
package dev.herdlab.workload;

import org.jspecify.annotations.NullMarked;
