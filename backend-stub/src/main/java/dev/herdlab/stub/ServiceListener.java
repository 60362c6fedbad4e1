package dev.herdlab.stub;

/// Hears what becomes of each request at a pool's backends. Called on the pool's loop, so it must
/// be short and must not throw; backends are named by their place in the settings.
public interface ServiceListener {
  /// Hears nothing.
  ServiceListener NONE =
      new ServiceListener() {
        @Override
        public void served(int backend, long received, long start, long finish, long delivered) {}

        @Override
        public void refused(int backend) {}

        @Override
        public void cancelled(int backend) {}
      };

  /// A request was served and its answer written.
  ///
  /// @param receivedNanos when its last byte was read
  /// @param startNanos when its service started, an ideal instant
  /// @param finishNanos when its service ended, an ideal instant
  /// @param deliveredNanos when the answer was written
  void served(
      int backend, long receivedNanos, long startNanos, long finishNanos, long deliveredNanos);

  /// A request was turned away: queue at its limit, not acceptable, or by a fault.
  void refused(int backend);

  /// A request was given up before its answer, by the client or by a fault.
  void cancelled(int backend);
}
