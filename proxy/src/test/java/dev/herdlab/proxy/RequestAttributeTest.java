package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.RequestKey;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which number a balancer is told, by the proxy's setting.
@Timeout(60)
class RequestAttributeTest {
  private static PickContext told(String key, String target, String field) throws Exception {
    try (RawBackend backend = new RawBackend(RawBackend.OK);
        Fixture proxy =
            Fixture.before(backend, settings -> settings.withKey(RequestAttribute.parse(key)));
        RawClient client = proxy.client()) {
      WantingBalancer balancer = WantingBalancer.of(false, 0, false).installed(proxy);
      client.send("GET " + target + " HTTP/1.1\r\nHost: h\r\n" + field + "\r\n");
      assertThat(client.receive().status()).isEqualTo(200);
      return balancer.contexts().getFirst();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "header:x-herdlab-key, /, X-Herdlab-Key: t17, t17",
    "header:X-User, /, x-user:  ann , ann",
    "path, /a/b?c=d, X-User: ann, /a/b",
    "path, http://h/a/b?c, X-User: ann, /a/b",
    "client, /, X-User: ann, 127.0.0.1",
    "cookie:user, /, Cookie: a=b; user=ann; c=d, ann",
    "cookie:user, /, Cookie: usera=b;user=ann, ann",
  })
  void theAttributeIsHashed(String key, String target, String field, String attribute)
      throws Exception {
    assertThat(told(key, target, field + "\r\n"))
        .isEqualTo(new PickContext(RequestKey.of(attribute)));
  }

  @ParameterizedTest
  @CsvSource({
    "header:x-herdlab-key, X-Herdlab: t17",
    "header:x-herdlab-key, X-Herdlab-Key:",
    "cookie:user, Cookie: users=ann; User=ann; user",
    "cookie:user, Cookie: user=",
    "cookie:user, X-Cookie: user=ann",
    "none, X-Herdlab-Key: t17",
  })
  void aRequestWithoutItHasNoKey(String key, String field) throws Exception {
    assertThat(told(key, "/", field + "\r\n")).isSameAs(PickContext.PLAIN);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "header", "header:", "header:a b", "cookie:", "cookie:a=b", "paths"})
  void refusesWhatIsNoAttribute(String key) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> RequestAttribute.parse(key))
        .withMessage(
            "key: \"" + key + "\" (expected: header:NAME, path, client, cookie:NAME or none)");
  }
}
