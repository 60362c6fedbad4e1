package dev.herdlab.simulator;

import dev.herdlab.balancer.Tries;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// One request that is at backends: its attempts that run, the oldest first.
///
/// Owner thread: its model's.
///
/// @param tries its rules; empty where each request has one attempt
/// @param attempts that run
record Running(Optional<Tries> tries, List<Attempt> attempts) {
  Running(Optional<Tries> tries) {
    this(tries, new ArrayList<>(2));
  }
}
