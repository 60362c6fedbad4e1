package dev.herdlab.lab.run;

import dev.herdlab.lab.config.RunListener;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/// A listener that remembers what it heard, and may be told to ask for a stop.
class Heard implements RunListener {
  final List<String> notes = new CopyOnWriteArrayList<>();
  final List<String> notKept = new CopyOnWriteArrayList<>();
  private volatile boolean stop;
  private volatile Runnable onStop = () -> {};

  @Override
  public void progress(double done, String what) {}

  @Override
  public void note(String line) {
    notes.add(line);
  }

  @Override
  public void notKept(String line) {
    notKept.add(line);
  }

  @Override
  public boolean stopRequested() {
    return stop;
  }

  @Override
  public void onStop(Runnable action) {
    onStop = action;
    if (stop) {
      action.run();
    }
  }

  /// As Ctrl-C does.
  void stop() {
    stop = true;
    onStop.run();
  }
}
