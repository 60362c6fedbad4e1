package dev.herdlab.stub;

import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.workload.ServiceLaw;

/// What the backends of one pool share, and the service law that they draw from.
///
/// Owner thread: the pool's loop.
final class StubContext {
  private final PreciseLoop loop;
  private final StubSettings settings;
  private final ServiceListener listener;
  private final Engine engine;
  private final ServiceDraw draw;
  private ServiceLaw law;
  private long unitNanos;

  StubContext(PreciseLoop loop, StubSettings settings, ServiceListener listener, Engine engine) {
    this.loop = loop;
    this.settings = settings;
    this.listener = listener;
    this.engine = engine;
    this.law = settings.service();
    this.unitNanos = settings.unitNanos();
    this.draw = random -> law.sampleNanos(random, unitNanos);
  }

  PreciseLoop loop() {
    return loop;
  }

  /// As they were at the start.
  StubSettings settings() {
    return settings;
  }

  ServiceListener listener() {
    return listener;
  }

  Engine engine() {
    return engine;
  }

  /// Draws from the law in force.
  ServiceDraw law() {
    return draw;
  }

  void changeLaw(StubChange.Service change) {
    law = change.law();
    unitNanos = change.unitNanos().orElse(unitNanos);
  }

  String lawSpec() {
    return law.spec();
  }

  long unitNanos() {
    return unitNanos;
  }
}
