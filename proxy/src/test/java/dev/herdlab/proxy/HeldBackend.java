package dev.herdlab.proxy;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.CountDownLatch;

/// A backend that answers at once until it is told to hold, and what it holds only when it is told
/// to let go.
public final class HeldBackend implements AutoCloseable {
  private final RawBackend backend;
  private volatile CountDownLatch gate = new CountDownLatch(0);

  public HeldBackend() {
    backend =
        new RawBackend(
            (request, exchange) -> {
              try {
                gate.await();
              } catch (InterruptedException e) {
                throw new IOException(e);
              }
              RawBackend.OK.answer(request, exchange);
            });
  }

  public InetSocketAddress address() {
    return backend.address();
  }

  /// Answers nothing from now on.
  public void hold() {
    gate = new CountDownLatch(1);
  }

  /// Answers all that it holds, and what comes.
  public void letGo() {
    gate.countDown();
  }

  @Override
  public void close() {
    letGo();
    backend.close();
  }
}
