package dev.herdlab.wiremock;

import com.github.tomakehurst.wiremock.core.WireMockApp;
import dev.herdlab.stub.Answer;
import dev.herdlab.stub.Engine;
import dev.herdlab.stub.Exchange;
import dev.herdlab.transport.Head;
import dev.herdlab.transport.PreciseLoop;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// WireMock as an engine: a user's mappings answer, behind the pool's queues. One WireMock serves
/// all backends of a pool: its mappings, scenarios and journal are theirs together.
///
/// Requests are matched and rendered by one worker thread, in the order of their arrival, and are
/// served as of their arrival. So the loop's deadlines wait for no match, and an answer is late
/// only if the matches up to its own take longer than it waits and is served. The service time is
/// the request's own, else the mapping's delay ([MappingDelay]), else the law's. A request that no
/// mapping matches is served like any other, and answered with 404; so are a mapping's faults.
///
/// `/__admin` is WireMock's admin API on each port, on a thread of its own, neither queued nor
/// counted. WireMock's own HTTP server is never made.
///
/// Cost: `docs/backends.md`. Threads: two beside the loop.
public final class WireMockEngine implements Engine {
  // Admin requests that wait for the one that is answered; more are refused. A guess.
  private static final int ADMIN_QUEUE = 100;
  private static final byte[] ADMIN =
      WireMockApp.ADMIN_CONTEXT_ROOT.getBytes(StandardCharsets.US_ASCII);

  private final WireMockSettings settings;
  // As many requests wait here as may be in flight at the backends, which bound that.
  private final ExecutorService matching = worker("herdlab-match", new LinkedBlockingQueue<>());
  private final ExecutorService administering =
      worker("herdlab-admin", new ArrayBlockingQueue<>(ADMIN_QUEUE));
  private volatile @Nullable RunningWireMock running;

  /// An engine that has read nothing yet.
  public WireMockEngine(WireMockSettings settings) {
    this.settings = settings;
  }

  private static ExecutorService worker(String name, BlockingQueue<Runnable> queue) {
    return new ThreadPoolExecutor(
        1, 1, 0, TimeUnit.SECONDS, queue, Thread.ofPlatform().daemon().name(name).factory());
  }

  @Override
  public void start(PreciseLoop loop) throws IOException {
    Path root = settings.root();
    if (!Files.isDirectory(root)) {
      throw new IOException(
          "wiremock root: " + root + " (expected: a folder with mappings/ and __files/)");
    }
    try {
      running = RunningWireMock.load(settings, loop);
    } catch (Exception e) {
      throw new IOException("wiremock: " + RunningWireMock.oneLine(e), e);
    }
  }

  @Override
  public int maxBodyBytes() {
    return settings.maxBodyBytes();
  }

  @Override
  public boolean aside(Head head) {
    int at = head.authorityStart() >= 0 ? head.authorityEnd() : head.targetStart();
    int end = at + ADMIN.length;
    if (end > head.targetEnd()) {
      return false;
    }
    for (int i = 0; i < ADMIN.length; i++) {
      if (head.octets()[at + i] != ADMIN[i]) {
        return false;
      }
    }
    return end == head.targetEnd() || head.octets()[end] == '/' || head.octets()[end] == '?';
  }

  @Override
  public void answer(Exchange exchange, Head head, byte[] body) {
    RunningWireMock present = running;
    if (present == null) {
      // It is closed, and its connections are about to be.
      return;
    }
    ReceivedRequest request = ReceivedRequest.of(exchange, head, body);
    if (!aside(head)) {
      matching.execute(() -> present.match(exchange, request));
      return;
    }
    try {
      administering.execute(() -> present.administer(exchange, request));
    } catch (RejectedExecutionException e) {
      exchange.reply(Answer.text("503 Service Unavailable", "too many admin requests wait"));
    }
  }

  @Override
  public void close() {
    RunningWireMock present = running;
    running = null;
    matching.shutdown();
    administering.shutdown();
    if (present != null) {
      present.close();
    }
  }
}
