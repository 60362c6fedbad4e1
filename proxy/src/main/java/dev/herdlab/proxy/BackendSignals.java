package dev.herdlab.proxy;

import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.Dispatcher;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Ports;
import dev.herdlab.transport.Decimals;
import dev.herdlab.transport.Head;
import dev.herdlab.transport.HeaderNames;
import dev.herdlab.transport.KnownField;
import dev.herdlab.transport.PreciseLoop;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// What one proxy instance hears from its backends for its balancer: load reports in responses,
/// replies to probes, and idle notices, each as far as the installed balancer and view want them.
/// None of it is a request: no count of those knows of it.
///
/// Cost: nothing where nothing is wanted; a change of backends or balancer O(n). Owner thread: its
/// loop's.
final class BackendSignals {
  private static final byte[] WANTS_REPORT = Wire.ascii(HeaderNames.REPORT + ": 1\r\n");
  private static final byte[] QUEUE = Wire.ascii(HeaderNames.IDLE_QUEUE + ": ");

  private final PreciseLoop loop;
  private final Bootstrap bootstrap;
  private final ProxySettings settings;
  private final Dispatcher dispatcher;
  private final long name;
  private final LoadReportReader reader = new LoadReportReader();
  // By index of the set.
  private List<Lines> lines = List.of();
  private long installs;
  private long probesSent;
  private long probesAnswered;
  private long probesLost;
  private long idleNotices;
  private long reports;
  private long unreadableReports;

  private record Lines(BackendPool pool, ProbeLane probes, IdleStream idle) {
    void close() {
      probes.close();
      idle.listen(0);
    }
  }

  /// @param name what backends know the instance by; different from all others that they know
  BackendSignals(
      PreciseLoop loop,
      Bootstrap bootstrap,
      ProxySettings settings,
      Dispatcher dispatcher,
      long name) {
    this.loop = loop;
    this.bootstrap = bootstrap;
    this.settings = settings;
    this.dispatcher = dispatcher;
    this.name = name;
  }

  /// These are the backends from now on, in the order of the set; those that stay keep their
  /// connections.
  void follow(List<BackendPool> pools) {
    IdentityHashMap<BackendPool, Lines> before = new IdentityHashMap<>();
    lines.forEach(each -> before.put(each.pool(), each));
    List<Lines> next = new ArrayList<>(pools.size());
    for (BackendPool pool : pools) {
      Lines kept = before.remove(pool);
      next.add(kept == null ? linesTo(pool) : kept);
    }
    lines = List.copyOf(next);
    before.values().forEach(Lines::close);
    listen();
  }

  private Lines linesTo(BackendPool pool) {
    BackendAddress backend = pool.backend();
    return new Lines(
        pool,
        new ProbeLane(loop, bootstrap, backend, settings, this),
        new IdleStream(loop, bootstrap, backend, settings, this));
  }

  private void listen() {
    int choices = dispatcher.wants().idleChoices();
    lines.forEach(each -> each.idle().listen(choices));
  }

  /// A balancer is about to be installed: probes of the last one are given up.
  ///
  /// @return for the probes of the new one, until the next takes its place
  Ports.Prober beginInstallation() {
    installs++;
    lines.forEach(each -> each.probes().close());
    long install = installs;
    return index -> {
      if (install == installs) {
        lines.get(index).probes().probe();
      }
    };
  }

  /// The balancer is installed: idle notices begin or end as it wants.
  void endInstallation() {
    listen();
  }

  /// Appends the fields by which a request asks its backend for what is wanted.
  void writeTo(ByteBuf out) {
    LoadBalancer.Wants wants = dispatcher.wants();
    if (wants.loadReports()) {
      out.writeBytes(WANTS_REPORT);
    }
    if (wants.idleChoices() > 1) {
      writeQueue(out);
    }
  }

  /// Appends the field that says how many idle backends the balancer knows.
  void writeQueue(ByteBuf out) {
    Decimals.write(out.writeBytes(QUEUE), name);
    Decimals.write(out.writeByte(','), dispatcher.idleQueueLength());
    out.writeShort(Wire.CRLF);
  }

  /// A response has come to its end: brings its load report to the balancer, if it has one that is
  /// wanted.
  void responded(String backend, Head head) {
    if (!dispatcher.wants().loadReports()) {
      return;
    }
    int field = head.find(KnownField.ENDPOINT_LOAD_METRICS);
    if (field < 0) {
      return;
    }
    BackendSignal.@Nullable LoadReport report =
        reader.read(backend, head.octets(), head.valueStart(field), head.valueEnd(field));
    if (report == null) {
      unreadableReports++;
    } else {
      reports++;
      observe(report);
    }
  }

  void probed() {
    probesSent++;
  }

  void replied(BackendSignal.ProbeReply reply) {
    probesAnswered++;
    observe(reply);
  }

  void lost() {
    probesLost++;
  }

  void becameIdle(String backend) {
    idleNotices++;
    observe(new BackendSignal.IdleNotice(backend));
  }

  // A balancer that throws harms no connection.
  private void observe(BackendSignal signal) {
    try {
      dispatcher.observe(signal);
    } catch (Throwable e) {
      Log.unexpected("balancer", e);
    }
  }

  ProxyState.Signals state() {
    int open = 0;
    for (Lines each : lines) {
      open += each.idle().isOpen() ? 1 : 0;
    }
    return new ProxyState.Signals(
        probesSent, probesAnswered, probesLost, open, idleNotices, reports, unreadableReports);
  }

  /// Ends all of it.
  void close() {
    installs++;
    lines.forEach(Lines::close);
    lines = List.of();
  }
}
