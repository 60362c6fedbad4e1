package dev.herdlab.lab;

import java.io.PrintWriter;
import java.util.Locale;
import java.util.function.LongSupplier;

/// A bar on a terminal that shows how far a command has come: only after two seconds, redrawn at
/// most ten times a second, and gone when closed.
///
/// Owner thread: any, one at a time (synchronised).
final class ProgressBar implements AutoCloseable {
  private static final long QUIET_NANOS = 2_000_000_000L;
  private static final long REDRAW_NANOS = 100_000_000L;
  private static final int WIDTH = 30;
  private static final String ERASE = "\r\u001b[K";

  private final PrintWriter err;
  private final Host.Device device;
  private final LongSupplier clock;
  private final long startNanos;
  private long drawnNanos;
  private Shown shown = Shown.NOTHING;

  private enum Shown {
    NOTHING,
    BAR
  }

  ProgressBar(PrintWriter err, Host.Device device, LongSupplier clock) {
    this.err = err;
    this.device = device;
    this.clock = clock;
    this.startNanos = clock.getAsLong();
    this.drawnNanos = startNanos;
  }

  /// `done` of 1 is done, and this is what is being done.
  synchronized void update(double done, String what) {
    long now = clock.getAsLong();
    if (device == Host.Device.OTHER
        || now - startNanos < QUIET_NANOS
        || (shown == Shown.BAR && now - drawnNanos < REDRAW_NANOS)) {
      return;
    }
    int full = (int) Math.round(Math.clamp(done, 0, 1) * WIDTH);
    err.print(
        String.format(
            Locale.ROOT,
            "%s[%s%s] %3.0f %% %s",
            ERASE,
            "#".repeat(full),
            ".".repeat(WIDTH - full),
            Math.clamp(done, 0, 1) * 100,
            what));
    err.flush();
    drawnNanos = now;
    shown = Shown.BAR;
  }

  /// Writes a line above the bar.
  synchronized void line(String text) {
    close();
    err.println(text);
    err.flush();
  }

  @Override
  public synchronized void close() {
    if (shown == Shown.BAR) {
      err.print(ERASE);
      err.flush();
      shown = Shown.NOTHING;
    }
  }
}
