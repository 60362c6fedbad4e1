package dev.herdlab.stub;

import dev.herdlab.transport.Head;
import dev.herdlab.transport.PreciseLoop;
import java.io.IOException;

/// What makes the answers of a pool's backends. Connections, queue, deadlines, faults and stamps
/// are the pool's, the same for each engine.
///
/// Methods are called by the pool that it was given to, and by one pool alone. Owner thread: the
/// pool's loop, except for [#start] and [#close].
public interface Engine extends AutoCloseable {
  /// The engine that gives each request the same short text.
  ///
  /// @param bodyBytes length of its body, 0 or more
  static Engine fixed(int bodyBytes) {
    return new FixedEngine(bodyBytes);
  }

  /// Makes ready to answer; called before the first port is bound. Not on the loop's thread.
  ///
  /// @throws IOException in one line for people: what is wrong, and in which file
  void start(PreciseLoop loop) throws IOException;

  /// Longest body of a request, in bytes without framing; longer ones are refused with 413. 0:
  /// bodies are dropped, whatever their length.
  int maxBodyBytes();

  /// Whether a request is about the engine itself: it is neither queued nor counted, and no fault
  /// touches it.
  boolean aside(Head head);

  /// Answers a request, now or later.
  ///
  /// @param head valid during the call
  /// @param body without its framing; empty where bodies are dropped
  void answer(Exchange exchange, Head head, byte[] body);

  /// Ends what [#start] began. Idempotent; not on the loop's thread.
  @Override
  void close();
}
