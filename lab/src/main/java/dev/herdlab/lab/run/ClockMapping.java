package dev.herdlab.lab.run;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.lab.admin.AdminClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// How another process's monotonic clock stands to this one's. On one kernel they are one clock;
/// elsewhere the distance is estimated, and only durations may be compared exactly.
///
/// Owner thread: any (immutable).
///
/// @param offsetNanos to be added to an instant of this process for the same one there
/// @param errorNanos the most by which that may be wrong; 0 on one kernel
public record ClockMapping(long offsetNanos, long errorNanos) {
  /// One clock.
  public static final ClockMapping SAME = new ClockMapping(0, 0);

  private static final Path BOOT_ID = Path.of("/proc/sys/kernel/random/boot_id");
  // The quickest of them has the smallest error; the first may have to compile code.
  private static final int TRIPS = 8;

  /// Whether it is the same clock.
  public boolean isSame() {
    return errorNanos == 0;
  }

  /// An instant of this process, there.
  public long there(long hereNanos) {
    return hereNanos + offsetNanos;
  }

  /// An instant of theirs, here.
  public long here(long thereNanos) {
    return thereNanos - offsetNanos;
  }

  /// What `GET /clock` answers in this process: the boot of the kernel, empty where it has no
  /// name, and an instant.
  static String bootId() {
    try {
      return Files.readString(BOOT_ID, StandardCharsets.US_ASCII).strip();
    } catch (IOException notLinux) {
      return "";
    }
  }

  /// Compares clocks. Another kernel's instant was read between the question and the answer: half
  /// the way is the estimate, and half the time its error.
  static ClockMapping of(AdminClient other) throws IOException, InterruptedException {
    String boot = bootId();
    ClockMapping best = new ClockMapping(0, Long.MAX_VALUE);
    for (int i = 0; i < TRIPS; i++) {
      long asked = System.nanoTime();
      JsonNode answer = other.get("/clock");
      long answered = System.nanoTime();
      if (!boot.isEmpty() && answer.path("boot_id").asText().equals(boot)) {
        return SAME;
      }
      long error = Math.max(1, (answered - asked) / 2);
      if (error < best.errorNanos) {
        best = new ClockMapping(answer.path("nanos").asLong() - (asked + error), error);
      }
    }
    return best;
  }
}
