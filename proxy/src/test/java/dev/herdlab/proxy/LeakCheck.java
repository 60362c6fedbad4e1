package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Fails a test class that leaks a buffer. Found by JUnit for every class of this module, before
/// any loads Netty's buffers.
public final class LeakCheck implements BeforeAllCallback, AfterAllCallback {
  private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();
  private static final long BOUND_MILLIS = 10_000;

  static {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new Factory());
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    LEAKS.clear();
  }

  @Override
  public void afterAll(ExtensionContext context) throws InterruptedException {
    collect();
    // Leaks are reported when the next buffer is tracked.
    ByteBufAllocator.DEFAULT.directBuffer(16).release();
    assertThat(LEAKS).as("leaked buffers").isEmpty();
  }

  // Once this reference is queued, so are those of buffers that became unreachable before it.
  static void collect() throws InterruptedException {
    for (int i = 0; i < 2; i++) {
      ReferenceQueue<Object> queue = new ReferenceQueue<>();
      PhantomReference<Object> sentinel = new PhantomReference<>(new Object(), queue);
      System.gc();
      assertThat(queue.remove(BOUND_MILLIS)).isSameAs(sentinel);
    }
  }

  /// The leaks seen since the class began; for the test of this check.
  static Queue<String> leaks() {
    return LEAKS;
  }

  private static final class Factory extends ResourceLeakDetectorFactory {
    @Override
    @SuppressWarnings("deprecation") // The interval and the maximum are what Netty calls it with.
    public <T> ResourceLeakDetector<T> newResourceLeakDetector(
        Class<T> resource, int samplingInterval, long maxActive) {
      return new Recorder<>(resource, samplingInterval);
    }
  }

  private static final class Recorder<T> extends ResourceLeakDetector<T> {
    Recorder(Class<T> resource, int samplingInterval) {
      super(resource, samplingInterval);
    }

    @Override
    protected boolean needReport() {
      return true;
    }

    @Override
    protected void reportTracedLeak(String resourceType, String records) {
      LEAKS.add(resourceType + records);
    }

    @Override
    protected void reportUntracedLeak(String resourceType) {
      LEAKS.add(resourceType);
    }
  }
}
