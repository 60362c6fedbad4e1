package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// The algorithm `sticky`: a session stays on the backend that it was first sent to. See
/// [CookieSessions], [TabledSessions].
///
/// Owner thread: any (no state).
final class Sticky implements Algorithm {
  static final Algorithm ALGORITHM = new Sticky();

  private static final String TABLE = "by=table with it";

  private Sticky() {}

  @Override
  public Description description() {
    return new Description(
        "sticky",
        "A session stays on the backend that an inner rule first sent it to, which the client's cookie says"
            + " or the proxy remembers.",
        List.of(
            Parameter.choice(
                "by",
                List.of("cookie", "table"),
                "cookie",
                "a session is who sends the same cookie, and all proxies know it; or the same key, and each"
                    + " proxy remembers for itself"),
            InnerRule.parameter(
                "how a new session's backend is picked",
                InnerRule.RANDOM,
                InnerRule.ROUND_ROBIN,
                InnerRule.LEAST_CONN,
                InnerRule.P2C),
            Parameter.whole(
                "capacity",
                1,
                10_000_000,
                "100000",
                "sessions that a proxy remembers; a further one takes the place of the one that was used"
                    + " longest ago"),
            Parameter.duration(
                "idle", "1800s", "a session that was not used for so long is forgotten")),
        "O(1), and for a new session that of the inner rule",
        "`by=cookie` nothing; `by=table` the sessions. One whose backend leaves gets another one",
        List.of(
            "`by=cookie`: HAProxy 3.5-dev5 `cookie NAME insert`, doc/configuration.txt; Traefik"
                + " `loadbalancer/sticky.go`, commit fd5a576; Caddy `cookie` policy, commit 0cf03d3",
            "`by=table`: HAProxy 3.5-dev5 `stick-table type ... size ... expire ...` with `stick on`"),
        List.of(
            "The cookie names the backend by its id in clear; Traefik and Caddy hash the name.",
            "With `by=table` a request without a key is of no session: the inner rule picks, and nothing is"
                + " remembered.",
            "A session stays with a backend that fails; HAProxy's `option redispatch` and its health checks"
                + " are not here."));
  }

  @Override
  public LoadBalancer create(Parameters parameters, BackendSet backends, View view, Ports ports) {
    Settings settings = Settings.of(parameters);
    Selector inner = InnerRule.of(settings, ports.random());
    if (settings.choice("by").equals("table")) {
      SessionTable sessions = new SessionTable(settings.whole("capacity"), settings.nanos("idle"));
      return new TabledSessions(backends, view, inner, sessions, ports.clock());
    }
    settings.refuseGiven("capacity", TABLE);
    settings.refuseGiven("idle", TABLE);
    return new CookieSessions(backends, view, inner);
  }
}
