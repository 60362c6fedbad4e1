package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.PickContext;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// The cookie that keeps a client with a backend.
@Timeout(60)
class StickyCookieTest {
  private static List<String> setCookies(RawClient client, String fields) throws Exception {
    client.send("GET / HTTP/1.1\r\nHost: h\r\n" + fields + "\r\n");
    RawClient.Response response = client.receive();
    assertThat(response.status()).isEqualTo(200);
    return response
        .head()
        .lines()
        .filter(line -> line.toLowerCase(Locale.ROOT).startsWith("set-cookie:"))
        .toList();
  }

  private static Fixture before(RawBackend one, RawBackend other) throws Exception {
    return new Fixture(List.of(one.address(), other.address()), settings -> settings);
  }

  @Test
  void aClientIsGivenItOnceAndComesBackWithIt() throws Exception {
    try (RawBackend one = new RawBackend(RawBackend.OK);
        RawBackend other = new RawBackend(RawBackend.OK);
        Fixture proxy = before(one, other);
        RawClient client = proxy.client()) {
      WantingBalancer balancer = WantingBalancer.of(false, 0, true).installed(proxy);
      assertThat(setCookies(client, ""))
          .containsExactly("set-cookie: herdlab-backend=b0; Path=/; HttpOnly");
      assertThat(setCookies(client, "Cookie: herdlab-backend=b0\r\n")).isEmpty();
      assertThat(setCookies(client, "Cookie: a=b; herdlab-backend=b1\r\n")).isEmpty();
      assertThat(setCookies(client, "Cookie: a=b\r\nCookie: herdlab-backend=gone\r\n"))
          .containsExactly("set-cookie: herdlab-backend=b0; Path=/; HttpOnly");
      assertThat(balancer.contexts())
          .containsExactly(
              PickContext.PLAIN,
              new PickContext(0, "b0"),
              new PickContext(0, "b1"),
              new PickContext(0, "gone"));
      assertThat(other.requests()).hasSize(1);
    }
  }

  @Test
  void aBackendsOwnCookiesStay() throws Exception {
    RawBackend.Script script =
        (request, exchange) ->
            exchange.send("HTTP/1.1 200 OK\r\nSet-Cookie: a=b\r\nContent-Length: 0\r\n\r\n");
    try (RawBackend backend = new RawBackend(script);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      var _ = WantingBalancer.of(false, 0, true).installed(proxy);
      assertThat(setCookies(client, ""))
          .containsExactly("Set-Cookie: a=b", "set-cookie: herdlab-backend=b0; Path=/; HttpOnly");
    }
  }

  @Test
  void nobodyIsGivenItUnlessTheBalancerWants() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      WantingBalancer balancer = WantingBalancer.of(false, 0, false).installed(proxy);
      assertThat(setCookies(client, "Cookie: herdlab-backend=b0\r\n")).isEmpty();
      assertThat(balancer.contexts()).containsExactly(PickContext.PLAIN);
    }
  }

  @Test
  void anIdThatNoCookieCanCarryIsNotGiven() throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy = Fixture.before(backend);
        RawClient client = proxy.client()) {
      proxy.pool.update(List.of(BackendAddress.of("b;0", backend.address())));
      var _ = WantingBalancer.of(false, 0, true).installed(proxy);
      assertThat(setCookies(client, "")).isEmpty();
    }
  }
}
