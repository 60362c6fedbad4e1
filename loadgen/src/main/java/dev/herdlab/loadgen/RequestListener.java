package dev.herdlab.loadgen;

/// Hears of each request as it is written and as it ends.
///
/// Called on the generator's loop: keep the numbers, do nothing else. Instants are the loop's
/// clock.
public interface RequestListener {
  /// Nobody listens.
  RequestListener NONE =
      new RequestListener() {
        @Override
        public void sent(int proxy, long intendedNanos, long sentNanos) {}

        @Override
        public void ended(
            int proxy,
            String outcome,
            long intendedNanos,
            long sentNanos,
            long doneNanos,
            String run) {}
      };

  /// A request is written now.
  ///
  /// @param proxy the number of its proxy
  void sent(int proxy, long intendedNanos, long sentNanos);

  /// A request has ended; once for each whose turn came.
  ///
  /// @param outcome [dev.herdlab.workload.RunLog#OK] or a failure's label
  /// @param sentNanos when it was written, or when its turn had come if it never was
  /// @param run the id of its run
  void ended(
      int proxy, String outcome, long intendedNanos, long sentNanos, long doneNanos, String run);
}
