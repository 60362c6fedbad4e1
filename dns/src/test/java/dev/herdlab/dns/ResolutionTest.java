package dev.herdlab.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Name;
import org.xbill.DNS.Type;

/// From answers of a real server to members; only the clock is the test's.
class ResolutionTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path folder;

  private final List<String> asked = new ArrayList<>();
  private long nowNanos = Long.MAX_VALUE - 5 * SECOND; // the clock may run over
  private Optional<Served> server = Optional.empty();

  private Resolution of(String target, int maxSeconds, Name... search) {
    InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    SystemServer system = new SystemServer(nowhere, List.of(search), 1);
    Questions questions =
        new Questions(
            (name, type) -> {
              asked.add(name + " " + Type.string(type));
              InetSocketAddress address = server.map(Served::address).orElse(nowhere);
              return new DnsClient(address, Duration.ofMillis(500)).ask(name, type);
            },
            DiscoverySettings.MIN_TTL,
            Duration.ofSeconds(maxSeconds),
            () -> nowNanos);
    return new Resolution(DiscoveryTarget.parse(target), system, questions);
  }

  private void serve(String records) {
    stop();
    server = Optional.of(Served.zone(folder, records));
  }

  private void stop() {
    server.ifPresent(Served::close);
    server = Optional.empty();
  }

  private static List<String> ids(Resolution.Pass pass) {
    return pass.members().stream().map(Member::id).toList();
  }

  private long seconds(Resolution.Pass pass) {
    return (pass.nextNanos() - nowNanos) / SECOND;
  }

  @Test
  void addressesOfBothKindsAtEachPortAreSorted() throws Exception {
    serve("b A 10.0.0.10\nb A 10.0.0.9\nb AAAA 2001:db8::1\nb A 200.0.0.1\n");
    try {
      Resolution.Pass pass = of("dns://b.example.:8000-8001", 60).pass();

      assertThat(ids(pass))
          .containsExactly(
              "10.0.0.9:8000",
              "10.0.0.9:8001",
              "10.0.0.10:8000",
              "10.0.0.10:8001",
              "200.0.0.1:8000",
              "200.0.0.1:8001",
              "[2001:db8::1]:8000",
              "[2001:db8::1]:8001");
      assertThat(pass.members()).allMatch(member -> member.weight() == 1);
      assertThat(pass.trouble()).isEmpty();
    } finally {
      stop();
    }
  }

  @ParameterizedTest
  @CsvSource({"0, 60, 1", "7, 60, 7", "600, 5, 5"})
  void answerIsBelievedForItsTtlWithinBounds(int ttl, int max, int expected) throws Exception {
    serve("b %d A 10.0.0.1\nb %d AAAA 2001:db8::1\n".formatted(ttl, ttl));
    try {
      Resolution resolution = of("dns://b.example.:80", max);

      assertThat(seconds(resolution.pass())).isEqualTo(expected);
      nowNanos += expected * SECOND - 1;
      resolution.pass();
      assertThat(asked).hasSize(2);
      nowNanos += 1;
      assertThat(seconds(resolution.pass())).isEqualTo(expected);
      assertThat(asked).hasSize(4);
    } finally {
      stop();
    }
  }

  @Test
  void leastTtlOfTheChainCounts() throws Exception {
    serve("b 9 CNAME c\nc 20 A 10.0.0.1\nc 20 AAAA 2001:db8::1\n");
    try {
      assertThat(seconds(of("dns://b.example.:80", 60).pass())).isEqualTo(9);
    } finally {
      stop();
    }
  }

  @Test
  void eachQuestionIsAskedAgainInItsOwnTime() throws Exception {
    serve("b 2 A 10.0.0.1\nb 40 AAAA 2001:db8::1\n");
    try {
      Resolution resolution = of("dns://b.example.:80", 60);
      resolution.pass();
      nowNanos += 2 * SECOND;
      resolution.pass();

      assertThat(asked).containsExactly("b.example. A", "b.example. AAAA", "b.example. A");
    } finally {
      stop();
    }
  }

  @Test
  void nameThatDoesNotExistHasNoMembersForTheSoasMinimum() throws Exception {
    serve("");
    try {
      Resolution.Pass pass = of("dns://b.example.:80", 60).pass();

      assertThat(pass.usable()).isTrue();
      assertThat(pass.members()).isEmpty();
      assertThat(seconds(pass)).isEqualTo(30);
      assertThat(pass.trouble()).contains("b.example.: no such name or no such records");
    } finally {
      stop();
    }
  }

  @Test
  void lastGoodAnswerStaysWhenTheServerIsSilent() throws Exception {
    serve("b 2 A 10.0.0.1\n");
    try {
      Resolution resolution = of("dns://b.example.:80", 60);
      resolution.pass();
      stop();
      nowNanos += 40 * SECOND;
      Resolution.Pass pass = resolution.pass();

      assertThat(ids(pass)).containsExactly("10.0.0.1:80");
      assertThat(pass.trouble().orElseThrow()).contains("b.example.: 127.0.0.1:1: ");
      assertThat(seconds(pass)).isEqualTo(1);

      serve("b 2 A 10.0.0.2\n");
      nowNanos += SECOND;
      assertThat(ids(resolution.pass())).containsExactly("10.0.0.2:80");
      assertThat(resolution.pass().trouble()).isEmpty();
    } finally {
      stop();
    }
  }

  @Test
  void nothingIsKnownWhenTheFirstAnswerDoesNotCome() throws Exception {
    Resolution.Pass pass = of("dns://b.example.:80", 60).pass();

    assertThat(pass.usable()).isFalse();
    assertThat(pass.trouble()).isPresent();
    assertThat(seconds(pass)).isEqualTo(1);
  }

  @Test
  void refusalIsNoAnswer() throws Exception {
    serve("");
    try {
      Resolution.Pass pass = of("dns://b.elsewhere.:80", 60).pass();

      assertThat(pass.usable()).isFalse();
      assertThat(pass.trouble().orElseThrow()).endsWith(" answers REFUSED");
    } finally {
      stop();
    }
  }

  @Test
  void servicesOfTheLowestPriorityAreUsedWithTheirWeights() throws Exception {
    serve(
        """
        _http._tcp SRV 20 1 9000 c
        _http._tcp SRV 10 5 8001 a
        _http._tcp SRV 10 0 8002 b
        a A 10.0.0.1
        b A 10.0.0.2
        c A 10.0.0.3
        """);
    try {
      Resolution.Pass pass = of("dns+srv://_http._tcp.example.", 60).pass();

      assertThat(pass.members())
          .containsExactly(
              Member.of(InetAddress.getByName("10.0.0.1"), 8001, 5),
              Member.of(InetAddress.getByName("10.0.0.2"), 8002, 1));
      assertThat(asked).doesNotContain("c.example. A");
    } finally {
      stop();
    }
  }

  @Test
  void nextPriorityIsUsedWhenTheLowestIsEmpty() throws Exception {
    serve("_http._tcp SRV 10 5 8001 gone\n_http._tcp SRV 20 7 8002 b\nb A 10.0.0.2\n");
    try {
      Resolution.Pass pass = of("dns+srv://_http._tcp.example.", 60).pass();

      assertThat(ids(pass)).containsExactly("10.0.0.2:8002");
      assertThat(pass.members().getFirst().weight()).isEqualTo(7);
    } finally {
      stop();
    }
  }

  @Test
  void nextPriorityWaitsWhileNothingIsKnownOfTheLowest() throws Exception {
    serve("_http._tcp SRV 10 5 8001 a.elsewhere.\n_http._tcp SRV 20 7 8002 b\nb A 10.0.0.2\n");
    try {
      Resolution.Pass pass = of("dns+srv://_http._tcp.example.", 60).pass();

      assertThat(pass.members()).isEmpty();
      assertThat(pass.usable()).isFalse();
    } finally {
      stop();
    }
  }

  @Test
  void rootAsATargetSaysThatThereIsNoService() throws Exception {
    serve("_http._tcp SRV 0 0 0 .\n");
    try {
      Resolution.Pass pass = of("dns+srv://_http._tcp.example.", 60).pass();

      assertThat(pass.members()).isEmpty();
      assertThat(pass.usable()).isTrue();
    } finally {
      stop();
    }
  }

  @Test
  void addressThatIsNamedTwiceIsOneMemberWithBothWeights() throws Exception {
    serve("_http._tcp SRV 0 3 80 a\n_http._tcp SRV 0 4 80 b\na A 10.0.0.1\nb A 10.0.0.1\n");
    try {
      Resolution.Pass pass = of("dns+srv://_http._tcp.example.", 60).pass();

      assertThat(pass.members())
          .containsExactly(Member.of(InetAddress.getByName("10.0.0.1"), 80, 7));
    } finally {
      stop();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "dns://127.0.0.1:80, 127.0.0.1:80",
    "dns://[::1]:80, [::1]:80",
    "dns://localhost:80, 127.0.0.1:80"
  })
  void addressesAndLocalhostNeedNoServer(String target, String id) throws Exception {
    assertThat(ids(of(target, 60).pass())).containsExactly(id);
    assertThat(asked).isEmpty();
  }

  @Test
  void shortNameIsLookedForUnderTheSearchList() throws Exception {
    serve("b A 10.0.0.1\n");
    try {
      Name[] search = {Name.fromString("other.example."), Name.fromString("example.")};
      Resolution.Pass pass = of("dns://b:80", 60, search).pass();

      assertThat(ids(pass)).containsExactly("10.0.0.1:80");
      assertThat(asked)
          .containsExactly(
              "b.other.example. A", "b.other.example. AAAA", "b.example. A", "b.example. AAAA");
    } finally {
      stop();
    }
  }

  @Test
  void nameWithADotIsTriedAsItStandsFirst() throws Exception {
    serve("b A 10.0.0.1\n");
    try {
      Resolution.Pass pass = of("dns://b.example:80", 60, Name.fromString("example.")).pass();

      assertThat(ids(pass)).containsExactly("10.0.0.1:80");
      assertThat(asked).hasSize(2);
    } finally {
      stop();
    }
  }

  @Test
  void chainThatTheServerBreaksOffIsFollowed() throws Exception {
    StringBuilder chain = new StringBuilder();
    for (int i = 0; i < 12; i++) {
      chain.append("c%d CNAME c%d\n".formatted(i, i + 1));
    }
    serve(chain + "c12 A 10.0.0.1\n");
    try {
      assertThat(ids(of("dns://c0.example.:80", 60).pass())).containsExactly("10.0.0.1:80");
    } finally {
      stop();
    }
  }

  @Test
  void tooManyMembersAreNotTaken() throws Exception {
    serve("$GENERATE 1-5 b A 10.0.0.$\n");
    try {
      Resolution.Pass pass = of("dns://b.example.:1000-2000", 60).pass();

      assertThat(pass.usable()).isFalse();
      assertThat(pass.trouble()).contains("5005 members (expected: at most 4096)");
    } finally {
      stop();
    }
  }
}
