package dev.herdlab.proxy;

import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.RefreshSchedule;
import dev.herdlab.balancer.Snapshot;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.transport.PreciseLoop;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;

/// The stale views of one process's proxies: tells the board when copies are due, shows what it
/// delivers, and knows how old that is.
///
/// Owner thread: its loop's, but for [#execute].
final class StaleViews implements BoardMember {
  private final PreciseLoop loop;
  private final CountBoard board;
  private final Counts truth;
  private final List<ProxyInstance> instances;
  private final List<ViewRefresh> timers = new ArrayList<>();
  private final Shown[] shown;
  private ViewSpec view = new ViewSpec.Local();
  private long epochNanos;

  /// What one instance's view shows.
  private static final class Shown {
    private long fromNanos;
    private long truthNanos;
    private long refreshes;
  }

  /// @param truth the counts of all instances together
  StaleViews(PreciseLoop loop, CountBoard board, Counts truth, List<ProxyInstance> instances) {
    this.loop = loop;
    this.board = board;
    this.truth = truth;
    this.instances = instances;
    this.shown = new Shown[instances.size()];
    for (int i = 0; i < shown.length; i++) {
      shown[i] = new Shown();
    }
  }

  /// Fresh views were installed: begins their schedule, ends that of the last ones.
  void follow(Installation installation) {
    stop();
    view = installation.view();
    epochNanos = installation.epochNanos();
    for (Shown each : shown) {
      each.truthNanos = loop.nanos();
      each.refreshes = 0;
    }
    if (view instanceof ViewSpec.SharedStale stale) {
      switch (stale.phase()) {
        case SYNC -> {
          RefreshSchedule schedule = RefreshSchedule.of(stale, installation.seed(), 0);
          for (Shown each : shown) {
            each.fromNanos = from(schedule);
          }
          start(schedule, () -> board.commonCopyDue(stale.refreshNanos()));
        }
        case RANDOM -> {
          for (ProxyInstance instance : instances) {
            int index = instance.index();
            RefreshSchedule schedule =
                RefreshSchedule.of(stale, installation.seed(), instance.number());
            shown[index].fromNanos = from(schedule);
            start(schedule, () -> board.copyDue(index, stale.refreshNanos()));
          }
        }
      }
    }
  }

  // A board of many processes may still deliver what was due under the last installation, and other
  // clocks are not exactly this one: half an interval tells both apart.
  private long from(RefreshSchedule schedule) {
    return epochNanos + schedule.instant(0) - schedule.refreshNanos() / 2;
  }

  private void start(RefreshSchedule schedule, Runnable copy) {
    var timer = new ViewRefresh(loop, schedule, epochNanos, copy);
    timers.add(timer);
    timer.start();
  }

  /// Asks for no more copies.
  void stop() {
    for (ViewRefresh timer : timers) {
      timer.stop();
    }
    timers.clear();
    view = new ViewSpec.Local();
  }

  private boolean awaits(ViewSpec.Phase phase) {
    return view instanceof ViewSpec.SharedStale stale && stale.phase() == phase;
  }

  /// For how long the counts that an instance's view shows are not true any more; since its
  /// installation if it shows none yet, 0 if it is always fresh.
  long ageNanos(int instance, long nowNanos) {
    return view instanceof ViewSpec.SharedStale ? nowNanos - shown[instance].truthNanos : 0;
  }

  /// Copies that an instance's view was shown since its installation.
  long refreshes(int instance) {
    return shown[instance].refreshes;
  }

  @Override
  public void execute(Runnable task) {
    try {
      loop.execute(task);
    } catch (RejectedExecutionException e) {
      // The loop is closed, and the proxies with it.
    }
  }

  @Override
  public BackendSet backends() {
    return instances.getFirst().dispatcher().backends();
  }

  @Override
  public long clockNanos() {
    return loop.nanos() - epochNanos;
  }

  @Override
  public Snapshot inFlight(long number) {
    return truth.snapshot(number, clockNanos());
  }

  @Override
  public long[] picks() {
    long[] picks = new long[instances.size()];
    for (int i = 0; i < picks.length; i++) {
      picks[i] = instances.get(i).dispatcher().picks();
    }
    return picks;
  }

  @Override
  public void showAll(Snapshot snapshot, long[] picksIncluded) {
    if (awaits(ViewSpec.Phase.SYNC)) {
      for (int i = 0; i < shown.length; i++) {
        refresh(i, snapshot, picksIncluded[i]);
      }
    }
  }

  @Override
  public void show(int instance, Snapshot snapshot, long picksIncluded) {
    if (awaits(ViewSpec.Phase.RANDOM)) {
      refresh(instance, snapshot, picksIncluded);
    }
  }

  private void refresh(int instance, Snapshot snapshot, long picksIncluded) {
    Shown view = shown[instance];
    if (loop.nanos() - view.fromNanos >= 0) {
      view.truthNanos = snapshot.truthNanos() + epochNanos;
      view.refreshes++;
      instances.get(instance).dispatcher().refreshView(snapshot, picksIncluded);
    }
  }
}
