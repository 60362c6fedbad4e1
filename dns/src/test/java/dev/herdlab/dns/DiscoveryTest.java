package dev.herdlab.dns;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Name;
import org.xbill.DNS.Type;

/// Discovery at work, with its own thread and a real server.
class DiscoveryTest {
  private static final long PATIENCE_SECONDS = 20;

  @TempDir Path folder;

  private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();

  private Discovery discover(String target, InetSocketAddress server) {
    Discovery discovery =
        new Discovery(
            DiscoveryTarget.parse(target),
            new DiscoverySettings(Optional.of(server), Duration.ofSeconds(1)),
            System::nanoTime,
            new DiscoveryListener() {
              @Override
              public void changed(List<Member> members) {
                heard.add(members.stream().map(Member::id).toList().toString());
              }

              @Override
              public void note(String line) {
                heard.add(line);
              }
            });
    discovery.start();
    return discovery;
  }

  private String next() throws InterruptedException {
    return Optional.ofNullable(heard.poll(PATIENCE_SECONDS, TimeUnit.SECONDS)).orElse("nothing");
  }

  @Test
  void membersComeAndGoAndASilentServerIsSaidOnce() throws Exception {
    String target = "dns://b.example.:80";
    Served first = Served.zone(folder, "b 0 A 10.0.0.1\nb 0 A 10.0.0.2\n");
    int port = first.address().getPort();
    try (Discovery discovery = discover(target, first.address())) {
      assertThat(next()).isEqualTo("[10.0.0.1:80, 10.0.0.2:80]");
      first.close();
      assertThat(next())
          .startsWith(target + ": b.example.: 127.0.0.1:" + port + ": ")
          .endsWith("; members in use: 2");
      assertThat(discovery.members()).hasSize(2);

      try (Served second = Served.zoneAt(port, folder, "b 0 A 10.0.0.2\nb 0 A 10.0.0.3\n")) {
        assertThat(second.address().getPort()).isEqualTo(port);
        assertThat(next()).isEqualTo("[10.0.0.2:80, 10.0.0.3:80]");
        assertThat(next()).isEqualTo(target + ": resolved again; members in use: 2");
      }
    }
  }

  @Test
  void rotationAloneIsNoChange() throws Exception {
    try (Served served = Served.zone(folder, "b 0 A 10.0.0.1\nb 0 A 10.0.0.2\n");
        Discovery discovery = discover("dns://b.example.:80", served.address())) {
      assertThat(next()).isEqualTo("[10.0.0.1:80, 10.0.0.2:80]");
      // The server turns its answers for every question, so these two have come again by now.
      assertThat(heard.poll(2500, TimeUnit.MILLISECONDS)).isNull();
      assertThat(discovery.members()).hasSize(2);
    }
  }

  @Test
  void addressIsReportedWithoutAServer() throws Exception {
    InetSocketAddress nowhere = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
    try (Discovery discovery = discover("dns://127.0.0.1:8000-8001", nowhere)) {
      assertThat(next()).isEqualTo("[127.0.0.1:8000, 127.0.0.1:8001]");
      assertThat(discovery.members()).hasSize(2);
    }
  }

  @Test
  void closeEndsAQuestionThatIsStillOpen() throws Exception {
    try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      Discovery discovery =
          discover("dns://b.example.:80", (InetSocketAddress) silent.getLocalSocketAddress());
      discovery.close();
      discovery.close();

      assertThat(heard).isEmpty();
      assertThat(Thread.getAllStackTraces().keySet())
          .noneMatch(thread -> thread.getName().equals("discovery"));
    }
  }

  @Test
  void silentServerIsGivenUp() throws Exception {
    try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
      DnsClient client =
          new DnsClient((InetSocketAddress) silent.getLocalSocketAddress(), Duration.ofMillis(100));
      DnsReply reply = client.ask(Name.fromString("b.example."), Type.A);

      assertThat(reply)
          .isEqualTo(
              new DnsReply.Failed(
                  "127.0.0.1:" + silent.getLocalPort() + ": no answer within 200 ms"));
    }
  }
}
