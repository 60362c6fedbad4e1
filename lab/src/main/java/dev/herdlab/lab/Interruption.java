package dev.herdlab.lab;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Turns Ctrl-C into a request to stop: the command finishes what it can show, and the process ends
/// when it has, or after a bound.
///
/// Owner thread: the command's; the request comes on the JVM's own.
final class Interruption implements AutoCloseable {
  /// How long the command has for its last words.
  private static final long GRACE_SECONDS = 20;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook;
  private volatile boolean requested;
  private volatile Runnable action = () -> {};

  private Interruption() {
    hook = new Thread(this::finish, "interruption");
  }

  /// From now until closed.
  static Interruption listen() {
    Interruption interruption = new Interruption();
    Runtime.getRuntime().addShutdownHook(interruption.hook);
    return interruption;
  }

  /// True once the user has asked to stop.
  boolean requested() {
    return requested;
  }

  /// `action` runs when the request comes, on the JVM's thread; at once, here, if it has come. It
  /// replaces an earlier one.
  void onRequest(Runnable action) {
    this.action = action;
    if (requested) {
      action.run();
    }
  }

  private void finish() {
    requested = true;
    action.run();
    try {
      if (!finished.await(GRACE_SECONDS, TimeUnit.SECONDS)) {
        Runtime.getRuntime().halt(ExitCode.INTERNAL);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    finished.countDown();
    if (!requested) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException shuttingDown) {
        // Too late: it is running, and has been let go above.
      }
    }
  }
}
