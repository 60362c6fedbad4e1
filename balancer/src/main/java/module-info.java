/// Requires `java.base` alone, so that an algorithm can reach no socket, library or result. A fence
/// for the compiler only: programs and tests run on the class path.
module dev.herdlab.balancer {
  requires static org.jspecify;

  exports dev.herdlab.balancer;
  exports dev.herdlab.balancer.algorithm;

  uses dev.herdlab.balancer.Algorithm;
}
