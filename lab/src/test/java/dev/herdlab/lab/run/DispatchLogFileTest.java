package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.herdlab.balancer.DispatchLog;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class DispatchLogFileTest {
  private static List<String> events(DispatchLog log) {
    List<String> events = new ArrayList<>();
    log.forEach(
        (kind, proxy, value, argument, nanos) ->
            events.add(kind + " " + proxy + " " + value + " " + argument + " " + nanos));
    return events;
  }

  private static byte[] written(DispatchLog log) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    DispatchLogFile.write(log, out);
    return out.toByteArray();
  }

  @Test
  void everyKindOfEventComesThrough() throws IOException {
    DispatchLog log = new DispatchLog(4);
    for (DispatchLog.Kind kind : DispatchLog.Kind.values()) {
      log.append(kind, 0xFF_FFFF, -1, Long.MIN_VALUE, Long.MAX_VALUE);
      log.append(kind, 3, 15, 9, -5);
    }

    DispatchLog read = DispatchLogFile.read(new ByteArrayInputStream(written(log)));

    assertThat(events(read)).isEqualTo(events(log)).hasSize(2 * DispatchLog.Kind.values().length);
  }

  @Test
  void whatAnotherBuildWroteIsRefusedInOneLine() throws IOException {
    byte[] bytes = written(new DispatchLog(1));
    bytes[3]++;

    assertThatThrownBy(() -> DispatchLogFile.read(new ByteArrayInputStream(bytes)))
        .isInstanceOf(IOException.class)
        .hasMessage("dispatch log: format 48444c06 (expected: 48444c05, of this build)");
  }

  @Test
  void anUnknownKindIsRefused() throws IOException {
    DispatchLog log = new DispatchLog(1);
    log.append(DispatchLog.Kind.PICK, 0, 1, 2, 3);
    byte[] bytes = written(log);
    bytes[8] = 99;

    assertThatThrownBy(() -> DispatchLogFile.read(new ByteArrayInputStream(bytes)))
        .isInstanceOf(IOException.class)
        .hasMessageStartingWith("dispatch log: kind 99");
  }

  @Test
  void noRoomIsMadeForEventsThatAreOnlySaidToCome() throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    new DataOutputStream(out).write(written(new DispatchLog(1)), 0, 4);
    new DataOutputStream(out).writeInt(Integer.MAX_VALUE);

    assertThatThrownBy(() -> DispatchLogFile.read(new ByteArrayInputStream(out.toByteArray())))
        .isInstanceOf(IOException.class)
        .hasMessage("dispatch log: 2147483647 events (expected: 0 to 200000000)");
  }
}
