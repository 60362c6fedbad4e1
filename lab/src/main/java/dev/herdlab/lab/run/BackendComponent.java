package dev.herdlab.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.lab.config.Settings;
import dev.herdlab.stub.Deadlines;
import dev.herdlab.stub.StubBackend;
import dev.herdlab.stub.StubPool;
import dev.herdlab.stub.StubSettings;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.workload.ServiceLaw;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The stub backends as a process: `herdlab backend`. Owner thread: the process's main one.
public final class BackendComponent implements Component {
  private final PreciseLoop loop;
  private final StubPool pool;

  private BackendComponent(PreciseLoop loop, StubPool pool) {
    this.loop = loop;
    this.pool = pool;
  }

  /// Of these settings; not listening yet.
  ///
  /// @throws dev.herdlab.lab.config.ConfigException if they do not fit each other or the system
  static BackendComponent of(Settings settings) {
    int count = settings.get(ComponentKeys.COUNT);
    List<Double> speeds =
        ComponentLists.each(settings, ComponentKeys.SPEEDS, count, "one for each backend");
    List<Integer> ports =
        ComponentLists.each(settings, ComponentKeys.PORTS, count, "one for each backend");
    List<StubBackend> backends = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      backends.add(new StubBackend("b" + i, ports.get(i), speeds.get(i)));
    }
    StubSettings stub =
        new StubSettings(
            settings.get(ComponentKeys.HOST),
            backends,
            ComponentLists.spec(settings, ComponentKeys.SERVICE, ServiceLaw::parse),
            settings.get(ComponentKeys.UNIT),
            settings.get(ComponentKeys.SEED),
            settings.get(ComponentKeys.BODY_BYTES),
            settings.get(ComponentKeys.QUEUE_LIMIT),
            StubSettings.DEFAULT_READ_AHEAD_BYTES,
            Deadlines.IDEAL);
    PreciseLoop loop = ComponentLoop.start("herdlab-backend", settings);
    return new BackendComponent(loop, new StubPool(loop, stub));
  }

  @Override
  public String name() {
    return "backend";
  }

  @Override
  public Map<String, Object> start() throws IOException {
    pool.start();
    return Map.of(
        "ports",
        pool.addresses().stream().map(InetSocketAddress::getPort).toList(),
        "scheduling",
        loop.granted().describe());
  }

  @Override
  public Map<String, Object> obey(String command, JsonNode arguments) {
    throw new IllegalArgumentException("do: " + command + " (expected: collect or collected)");
  }

  @Override
  public Optional<String> loopFailure() {
    return Optional.ofNullable(loop.failure()).map(Throwable::toString);
  }

  @Override
  public void close() {
    pool.close();
    loop.close();
  }
}
