package dev.herdlab.stub;

import dev.herdlab.transport.Head;
import dev.herdlab.transport.PreciseLoop;
import java.util.Arrays;

/// The engine that knows one answer, made beforehand. Owner thread: the pool's loop.
final class FixedEngine implements Engine {
  private final Answer.Response answer;

  FixedEngine(int bodyBytes) {
    byte[] body = new byte[bodyBytes];
    Arrays.fill(body, (byte) 'x');
    if (bodyBytes > 0) {
      body[bodyBytes - 1] = '\n';
    }
    answer = new Answer.Response(Answer.textHead("200 OK", bodyBytes), body, Answer.Ending.KEEP);
  }

  @Override
  public void start(PreciseLoop loop) {}

  @Override
  public int maxBodyBytes() {
    return 0;
  }

  @Override
  public boolean aside(Head head) {
    return false;
  }

  @Override
  public void answer(Exchange exchange, Head head, byte[] body) {
    exchange.serve(answer);
  }

  @Override
  public void close() {}
}
