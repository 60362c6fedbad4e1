package dev.herdlab.lab.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import dev.herdlab.dns.DnsServer;
import dev.herdlab.dns.Rotation;
import dev.herdlab.dns.ServedFiles;
import dev.herdlab.lab.config.ConfigException;
import dev.herdlab.workload.RunLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// Components, and the lab, that look up names: a real DNS server on loopback, whose answers
// change.
@Timeout(60)
final class NamedPlacesTest {
  @TempDir private Path folder;
  private DnsServer dns;
  private int port;

  @BeforeEach
  void start() throws IOException {
    serve(0, "127.0.0.1");
    port = dns.port();
  }

  @AfterEach
  void close() {
    dns.close();
  }

  /// Serves `pool.test` with these addresses.
  private void serve(int atPort, String... addresses) throws IOException {
    StringBuilder zone =
        new StringBuilder("$TTL 1\n@ SOA ns.test. root.test. 1 60 60 60 1\n@ NS ns.test.\n");
    zone.append("ns A 127.0.0.1\n");
    for (String address : addresses) {
      zone.append("pool A ").append(address).append('\n');
    }
    Path file = Files.writeString(folder.resolve("test.zone"), zone);
    dns =
        new DnsServer(
            ServedFiles.parse(List.of("test=" + file), List.of()),
            new InetSocketAddress(InetAddress.getLoopbackAddress(), atPort),
            Rotation.NONE,
            bound -> 0,
            System::nanoTime);
    dns.start();
  }

  private void serveInstead(String... addresses) throws IOException {
    dns.close();
    serve(port, addresses);
  }

  private String[] resolver(String... more) {
    List<String> sets = new java.util.ArrayList<>(List.of(more));
    sets.addAll(List.of("dns=127.0.0.1:" + port, "dns-max-ttl=1s"));
    return sets.toArray(String[]::new);
  }

  private static int portOf(Running backend) {
    return backend.ready().path("ports").path(0).asInt();
  }

  @Test
  void backendsOfAProxyJoinUnderItsNameLive() throws Exception {
    try (Running first = Running.backend("backends=1");
        Running second = Running.backend("backends=1", "host=127.0.0.2", "ports=" + portOf(first));
        Running proxy = Running.proxy(resolver("backends=dns://pool.test:" + portOf(first)))) {
      Running.await("the first", () -> proxy.state().path("backends").size() == 1);
      assertThat(proxy.state().path("backends_name").asText())
          .isEqualTo("dns://pool.test:" + portOf(first));

      serveInstead("127.0.0.2", "127.0.0.1");

      Running.await("the second", () -> proxy.state().path("backends").size() == 2);
      JsonNode state = proxy.state();
      assertThat(state.path("backends").path(0).path("id").asText())
          .isEqualTo("127.0.0.1:" + portOf(first));
      assertThat(state.path("backends").path(1).path("address").asText())
          .isEqualTo("127.0.0.2:" + portOf(second));
      assertThat(state.path("backend_set_version").asLong()).isEqualTo(3);
    }
  }

  @Test
  void listTakesThePlaceOfANameAndTheOtherWayRound() throws Exception {
    try (Running backend = Running.backend("backends=1");
        Running proxy = Running.proxy(resolver("backends=dns://pool.test:" + portOf(backend)))) {
      Running.await("the name", () -> proxy.state().path("backends").size() == 1);

      JsonNode list =
          proxy.admin().put("/backends", Map.of("backends", List.of("x=" + backend.data())));
      serveInstead("127.0.0.3");
      assertThat(list.has("backends_name")).isFalse();
      assertThat(list.path("backends").path(0).path("id").asText()).isEqualTo("x");

      JsonNode name = proxy.admin().put("/backends", Map.of("backends", "dns://pool.test:9-10"));
      assertThat(name.path("backends_name").asText()).isEqualTo("dns://pool.test:9-10");
      Running.await("the other", () -> proxy.state().path("backends").size() == 2);
      assertThat(proxy.state().path("backends").path(1).path("id").asText())
          .isEqualTo("127.0.0.3:10");
    }
  }

  @Test
  void generatorFollowsTheProxiesUnderAName() throws Exception {
    try (Running generator = Running.generator(resolver("proxies=dns://pool.test:8080"))) {
      Running.await("one", () -> generator.state().path("proxies").size() == 1);

      serveInstead("127.0.0.1", "127.0.0.9");

      Running.await("two", () -> generator.state().path("proxies").size() == 2);
      assertThat(generator.state().path("proxies"))
          .hasToString("[\"127.0.0.1:8080\",\"127.0.0.9:8080\"]");
    }
  }

  @Test
  void generatorOnItsOwnWaitsForTheNameAndSends() throws Exception {
    try (Running backend = Running.backend("backends=1", "unit=1ms")) {
      Components.Sent sent =
          Components.loadgen(
                  Running.settings(
                      ComponentKeys.LOADGEN,
                      resolver(
                          "proxies=dns://pool.test:" + portOf(backend),
                          "unit=1ms",
                          "rate=0.1",
                          "requests=10",
                          "warmup=0")),
                  InputStream.nullInputStream(),
                  new PrintWriter(new StringWriter()))
              .orElseThrow();

      assertThat(sent.run().entries()).hasSize(10).allMatch(RunLog.Entry::ok);
    }
  }

  @Test
  void placesOfAFleetAreAddressesOrNames() throws Exception {
    serveInstead("127.0.0.4", "127.0.0.5");
    try (DiscoveredPlaces places = DiscoveredPlaces.of("127.0.0.1:" + port)) {
      assertThat(places.addresses("127.0.0.1:7"))
          .containsExactly(new InetSocketAddress(InetAddress.getLoopbackAddress(), 7));
      assertThat(places.addresses("dns://pool.test:9100"))
          .containsExactly(
              new InetSocketAddress("127.0.0.4", 9100), new InetSocketAddress("127.0.0.5", 9100));
      assertThatThrownBy(() -> places.addresses("dns://nobody.test:9100"))
          .isInstanceOf(IOException.class)
          .message()
          .startsWith("dns://nobody.test:9100: ")
          .hasLineCount(1);
      assertThatThrownBy(() -> places.addresses("dns://pool.test"))
          .isInstanceOf(IOException.class)
          .hasMessageStartingWith("dns://pool.test (expected: ");
      assertThatThrownBy(() -> places.addresses("nowhere"))
          .isInstanceOf(IOException.class)
          .hasMessage("nowhere: no address (expected: HOST:PORT of a known host)");
    }
    assertThatThrownBy(() -> DiscoveredPlaces.of("x y"))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("dns: x y (expected: ");
  }
}
