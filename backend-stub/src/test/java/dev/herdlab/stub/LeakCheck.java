package dev.herdlab.stub;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ResourceLeakDetector;
import io.netty.util.ResourceLeakDetectorFactory;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/// Fails a test class that lost a buffer, where Netty alone would only log it. Registered for all
/// classes by `META-INF/services`.
public final class LeakCheck implements BeforeAllCallback, AfterAllCallback {
  private static final Queue<String> LEAKS = new ConcurrentLinkedQueue<>();
  // Enough turns of collector and detector for what is lost to be found; a few milliseconds each.
  private static final int TURNS = 5;

  static {
    ResourceLeakDetector.setLevel(ResourceLeakDetector.Level.PARANOID);
    ResourceLeakDetectorFactory.setResourceLeakDetectorFactory(new RecordingFactory());
  }

  @Override
  public void beforeAll(ExtensionContext context) {
    LEAKS.clear();
  }

  @Override
  public void afterAll(ExtensionContext context) {
    for (int turn = 0; turn < TURNS; turn++) {
      System.gc();
      // The detector looks for what was lost whenever a buffer is made.
      ByteBuf probe = ByteBufAllocator.DEFAULT.buffer(1);
      probe.release();
    }
    assertThat(LEAKS).as("buffers that nobody released").isEmpty();
  }

  private static final class RecordingFactory extends ResourceLeakDetectorFactory {
    @Override
    @Deprecated
    @SuppressWarnings("InlineMeSuggester") // Netty's method, and abstract there
    public <T> ResourceLeakDetector<T> newResourceLeakDetector(
        Class<T> resource, int samplingInterval, long maxActive) {
      return new RecordingDetector<>(resource, samplingInterval);
    }

    @Override
    public <T> ResourceLeakDetector<T> newResourceLeakDetector(
        Class<T> resource, int samplingInterval) {
      return new RecordingDetector<>(resource, samplingInterval);
    }
  }

  private static final class RecordingDetector<T> extends ResourceLeakDetector<T> {
    RecordingDetector(Class<T> resource, int samplingInterval) {
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
