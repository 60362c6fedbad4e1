package dev.herdlab.loadgen;

import static dev.herdlab.loadgen.GeneratorFixture.MILLI;
import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.workload.RunLog.Entry;
import dev.herdlab.workload.Trace;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// What requests say of their tenants.
@Timeout(60)
class TenantTest {
  // Far longer than an answer takes.
  private static final long GAP = 200 * MILLI;

  private static Trace of(int... tenants) {
    long[] intended = new long[tenants.length];
    for (int i = 0; i < tenants.length; i++) {
      intended[i] = i * GAP;
    }
    return Trace.of(1, intended, new int[tenants.length], new long[tenants.length], tenants);
  }

  /// The key and the cookie of each request, which is answered with these fields.
  private static List<String> asked(List<Trace> runs, List<String> answers) throws Exception {
    List<String> asked = new CopyOnWriteArrayList<>();
    try (RawServer server =
            new RawServer(
                peer -> {
                  for (String head = peer.request(); !head.isEmpty(); head = peer.request()) {
                    List<String> said = new ArrayList<>();
                    head.lines()
                        .filter(line -> line.matches("(x-herdlab-key|cookie): .*"))
                        .forEach(said::add);
                    String fields = answers.get(asked.size());
                    asked.add(String.join(" ", said));
                    peer.write("HTTP/1.1 200 OK\r\n" + fields + "Content-Length: 0\r\n\r\n");
                  }
                });
        GeneratorFixture fixture = GeneratorFixture.before(server)) {
      for (Trace run : runs) {
        assertThat(fixture.run(run).entries()).allMatch(Entry::ok);
      }
    }
    return asked;
  }

  private static String cookie(String value) {
    return "Set-Cookie: herdlab-backend=" + value + "; Path=/; HttpOnly\r\n";
  }

  @Test
  void aTenantSendsBackTheCookieThatItWasGivenLast() throws Exception {
    int none = Trace.NO_TENANT;
    assertThat(
            asked(
                List.of(of(7, 12, 7, none, none, 7, 12)),
                List.of(
                    cookie("b3"), "", cookie("b1"), cookie("b9"), "", "Set-Cookie: a=b\r\n", "")))
        .containsExactly(
            "x-herdlab-key: t7",
            "x-herdlab-key: t12",
            "x-herdlab-key: t7 cookie: herdlab-backend=b3",
            "",
            "",
            "x-herdlab-key: t7 cookie: herdlab-backend=b1",
            "x-herdlab-key: t12");
  }

  @Test
  void aRunBeginsWithoutCookies() throws Exception {
    assertThat(asked(List.of(of(1), of(1)), List.of(cookie("b0"), "")))
        .containsExactly("x-herdlab-key: t1", "x-herdlab-key: t1");
  }

  @Test
  void ignoresACookieThatIsTooLong() throws Exception {
    String longest = "b".repeat(TenantCookies.MOST_BYTES);
    assertThat(asked(List.of(of(1, 1, 1)), List.of(cookie(longest), cookie(longest + "b"), "")))
        .containsExactly(
            "x-herdlab-key: t1",
            "x-herdlab-key: t1 cookie: herdlab-backend=" + longest,
            "x-herdlab-key: t1 cookie: herdlab-backend=" + longest);
  }
}
