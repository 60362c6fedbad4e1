package dev.herdlab.stub;

import dev.herdlab.stub.RawClient.Response;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/// Clients that keep one backend busy, each with one request at a time, and reconnect when they
/// lose their connection.
final class Load implements AutoCloseable {
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Future<Void>> clients = new ArrayList<>();
  private final List<Response> responses = new ArrayList<>();
  private final AtomicInteger lost = new AtomicInteger();
  private volatile boolean over;

  Load(InetSocketAddress address, int count, String request) {
    for (int i = 0; i < count; i++) {
      clients.add(threads.submit(() -> run(address, request)));
    }
  }

  private Void run(InetSocketAddress address, String request) {
    while (!over) {
      try (RawClient client = new RawClient(address)) {
        while (!over) {
          add(client.exchange(request));
        }
      } catch (IOException e) {
        lost.incrementAndGet();
      }
    }
    return null;
  }

  private synchronized void add(Response response) {
    responses.add(response);
  }

  synchronized int answered() {
    return responses.size();
  }

  /// Exchanges and connections that failed.
  int lost() {
    return lost.get();
  }

  /// Waits for more answers than there are now.
  void awaitAnswers(int more) {
    int enough = answered() + more;
    StubFixture.await(() -> answered() >= enough, () -> answered() + " answers, not " + enough);
  }

  void awaitLost(int more) {
    int enough = lost() + more;
    StubFixture.await(() -> lost() >= enough, () -> lost() + " lost, not " + enough);
  }

  /// Lets each client end its present exchange; then all responses, those that were served in the
  /// order of arrival.
  List<Response> end() throws Exception {
    over = true;
    for (Future<Void> client : clients) {
      client.get();
    }
    responses.sort(
        Comparator.comparingLong(
            (Response each) -> each.status() == 200 ? each.stamps().start() : Long.MIN_VALUE));
    return responses;
  }

  @Override
  public void close() {
    over = true;
    threads.close();
  }
}
