package dev.herdlab.stub;

import java.net.InetSocketAddress;

/// One request at a backend, from its last byte to its answer, as an [Engine] sees it.
///
/// The engine answers it once, by one of the methods that take an answer, now or later, whether the
/// client still waits or not: what the request has taken of the server until it was given up is
/// known from then on. Owner thread: the pool's loop.
public interface Exchange {
  /// The backend's address.
  InetSocketAddress local();

  /// The client's address.
  InetSocketAddress remote();

  /// Has the request served, for the time it names itself, or else one drawn from the law in force;
  /// then it is answered so.
  ///
  /// Requests of a backend are served in the order of these calls, which must be the order in which
  /// the engine got them; each as if it had been called when the request arrived.
  void serve(Answer answer);

  /// The same, but a request that names no time is served for one that is drawn from `otherwise`.
  void serve(Answer answer, ServiceDraw otherwise);

  /// Answers at once, without service. For requests that are [Engine#aside].
  void reply(Answer.Response answer);
}
