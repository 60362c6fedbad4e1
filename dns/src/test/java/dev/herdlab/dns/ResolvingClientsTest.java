package dev.herdlab.dns;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.IntUnaryOperator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients that find proxies through DNS, and how unevenly they do.
class ResolvingClientsTest {
  private static final long SECOND = 1_000_000_000L;

  @TempDir Path folder;

  private static IntUnaryOperator coins(long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    return random::nextInt;
  }

  /// One request a second.
  private static long[] seconds(int requests) {
    return LongStream.range(0, requests).map(i -> i * SECOND).toArray();
  }

  private static ResolvingClients cyclic(int clients, int proxies, long ttlSeconds) {
    return new ResolvingClients(
        clients,
        new IdealRotation(proxies, ttlSeconds * SECOND, Rotation.CYCLIC, _ -> 0),
        coins(42));
  }

  @Test
  void clientKeepsItsProxyUntilTheTtlHasPassed() {
    ResolvingClients one = cyclic(1, 3, 2);

    assertThat(one.proxies(seconds(7))).containsExactly(0, 0, 1, 1, 2, 2, 0);
    assertThat(one.questions()).isEqualTo(4);
  }

  @Test
  void ttlOfZeroIsForOneRequestAlone() {
    assertThat(cyclic(1, 3, 0).proxies(seconds(4))).containsExactly(0, 1, 2, 0);
  }

  @Test
  void clientThatWasQuietAsksWhenItComesBack() {
    ResolvingClients one = cyclic(1, 3, 10);

    assertThat(one.proxies(new long[] {0, 9 * SECOND, 100 * SECOND, 109 * SECOND, 110 * SECOND}))
        .containsExactly(0, 0, 1, 1, 2);
  }

  @Test
  void eachClientHasACacheOfItsOwn() {
    List<Integer> clients = new ArrayList<>(List.of(0, 1, 0, 1, 1, 0));
    ResolvingClients two =
        new ResolvingClients(
            2,
            new IdealRotation(5, 100 * SECOND, Rotation.CYCLIC, _ -> 0),
            _ -> clients.removeFirst());

    assertThat(two.proxies(seconds(6))).containsExactly(0, 1, 0, 1, 1, 0);
  }

  @Test
  void withoutRotationOneProxyGetsAll() {
    ResolvingClients clients =
        new ResolvingClients(8, new IdealRotation(4, 0, Rotation.NONE, _ -> 0), coins(1));
    Skew skew = Skew.of(clients.proxies(seconds(100)), seconds(100), 4, 10 * SECOND);

    assertThat(skew.largest()).isEqualTo(4.0);
    assertThat(skew.variation()).isEqualTo(Math.sqrt(3), within(1e-12));
    assertThat(skew.idle()).isEqualTo(3);
    assertThat(skew.window()).isEqualTo(4.0);
  }

  @Test
  void shortTtlIsEvenAndLongTtlIsNot() {
    int requests = 8000;
    long[] instants = seconds(requests);
    Skew even = Skew.of(cyclic(4, 16, 0).proxies(instants), instants, 16, 100 * SECOND);
    Skew pinned = Skew.of(cyclic(4, 16, 1_000_000).proxies(instants), instants, 16, 100 * SECOND);

    assertThat(even.largest()).isEqualTo(1.0);
    assertThat(even.idle()).isZero();
    // Four clients on four of sixteen proxies, each with a quarter of the requests: their share is
    // binomial, and the largest of the four is within 4 standard deviations of the mean.
    double deviation = Math.sqrt(0.25 * 0.75 / requests) * 16;
    assertThat(pinned.largest()).isBetween(4.0, 4 + 4 * deviation);
    assertThat(pinned.idle()).isEqualTo(12);
  }

  @Test
  void windowShowsWhatTheWholeRunHides() {
    // One client, three proxies, one after the other for 10 s each: even in the end, never in
    // between.
    long[] instants = seconds(300);
    Skew skew = Skew.of(cyclic(1, 3, 10).proxies(instants), instants, 3, 10 * SECOND);

    assertThat(skew.largest()).isEqualTo(1.0);
    assertThat(skew.window()).isEqualTo(3.0);
  }

  @ParameterizedTest
  @ValueSource(longs = {0, 3, 50})
  void realServerGivesWhatTheModelSays(long ttlSeconds) throws Exception {
    int proxies = 5;
    StringBuilder records = new StringBuilder();
    List<InetAddress> addresses = new ArrayList<>();
    for (int i = 0; i < proxies; i++) {
      records.append("proxies %d A 192.0.2.%d\n".formatted(ttlSeconds, 9 - i));
      addresses.add(InetAddress.getByName("192.0.2." + (9 - i)));
    }
    try (Served served = Served.zone(folder, records.toString())) {
      ResolvingClients measured =
          new ResolvingClients(
              3,
              new AskedRotation("proxies.example", served.address(), addresses, SECOND),
              coins(42));

      assertThat(measured.proxies(seconds(200)))
          .isEqualTo(cyclic(3, proxies, ttlSeconds).proxies(seconds(200)));
    }
  }

  @Test
  void addressOfNoProxyIsAnError() throws Exception {
    try (Served served = Served.zone(folder, "proxies A 192.0.2.9\n")) {
      AskedRotation asked =
          new AskedRotation("proxies.example", served.address(), List.of(), SECOND);

      assertThatThrownBy(() -> asked.first(0))
          .hasMessage("proxies.example.: 192.0.2.9 (expected: a proxy's address)");
    }
  }
}
