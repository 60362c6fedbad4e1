package dev.herdlab.stub;

import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.transport.Scheduling;
import dev.herdlab.workload.ServiceLaw;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.opentest4j.AssertionFailedError;

/// A pool on a loop of its own, and clients to it; closes all.
final class StubFixture implements AutoCloseable {
  static final long MILLI = 1_000_000;
  static final long SECOND = 1_000_000_000;
  static final ServiceLaw LAW = ServiceLaw.parse("exponential");

  private final PreciseLoop loop =
      PreciseLoop.create(new PreciseLoop.Settings("stub", 0, Scheduling.DEFAULT));
  private final List<RawClient> clients = new ArrayList<>();
  final StubPool pool;

  StubFixture(StubSettings settings) throws Exception {
    this(settings, Engine.fixed(settings.bodyBytes()), ServiceListener.NONE);
  }

  StubFixture(StubSettings settings, Engine engine, ServiceListener listener) throws Exception {
    loop.start();
    pool = new StubPool(loop, settings, engine, listener);
    try {
      pool.start();
    } catch (IOException e) {
      loop.close();
      throw e;
    }
  }

  static StubSettings settings(double... speeds) {
    return StubSettings.ofSpeeds(Arrays.stream(speeds).boxed().toList(), LAW, MILLI, 42);
  }

  static StubFixture of(double... speeds) throws Exception {
    return new StubFixture(settings(speeds));
  }

  RawClient client() throws IOException {
    return client(0);
  }

  synchronized RawClient client(int backend) throws IOException {
    RawClient client = new RawClient(pool.addresses().get(backend));
    clients.add(client);
    return client;
  }

  StubState.Backend state(int backend) {
    return pool.state().backends().get(backend);
  }

  /// Waits until backend 0 has this many requests.
  void awaitInFlight(int count) {
    await(() -> pool.inFlight(0) == count, () -> count + " in flight, not " + pool.inFlight(0));
  }

  static void await(BooleanSupplier condition, Supplier<String> what) {
    long start = System.nanoTime();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - start > 20 * SECOND) {
        throw new AssertionFailedError(what.get());
      }
      Thread.onSpinWait();
    }
  }

  @Override
  public void close() throws IOException {
    for (RawClient client : clients) {
      client.close();
    }
    pool.close();
    loop.close();
    if (loop.failure() != null) {
      throw new AssertionError("a task of the loop failed", loop.failure());
    }
  }
}
