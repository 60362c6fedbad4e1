/// Requires `java.base` alone, so that what the model and the stub share can reach no socket or
/// library. A fence for the compiler only: programs and tests run on the class path.
module dev.herdlab.workload {
  requires static org.jspecify;

  exports dev.herdlab.workload;
}
