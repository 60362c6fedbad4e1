package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import dev.herdlab.balancer.Waiting;
import java.util.List;

/// The decorator `limit`: no backend has more than n requests of this proxy; further ones wait at
/// the proxy, in one list for all backends, and the first of them that may goes when there is room.
///
/// Where the limit is reached the algorithm inside sees a load that nothing real has, so that one
/// by loads takes another backend; if it insists (a key's backend, a turn, a draw), it is asked
/// again, once for each backend, before the request waits.
///
/// Cost: O(n), and that of the algorithm, n times where it insists. Owner thread: its dispatcher's.
final class Limit implements LoadBalancer {
  /// The load of a full backend: more than any has, and sums of it are no overflow.
  private static final int FULL = 1 << 20;

  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "limit",
              "Decorator: at most n requests of this proxy on each backend. Others wait at the proxy, and the"
                  + " oldest one that a backend with room may serve goes next.",
              List.of(
                  Inner.OF,
                  Parameter.whole(
                      "n",
                      1,
                      100_000,
                      "1",
                      "requests in flight that a proxy has on a backend at most"),
                  Parameter.whole(
                      "queue",
                      0,
                      1_000_000,
                      "10000",
                      "requests that wait at most; more are refused")),
              "O(n), and that of the algorithm; n times that while it names full backends",
              "nothing; the host keeps the waiting requests, also when the algorithm is replaced",
              List.of(
                  "HAProxy 3.5-dev5 `src/queue.c`, `src/backend.c` (`assign_server_and_queue`): `maxconn` of"
                      + " a server, and the backend's queue",
                  "An M/M/c queue, with least-conn inside and one proxy"),
              List.of(
                  "HAProxy has a request that hashing or a cookie binds wait in its server's own queue, which is"
                      + " served first; here all wait in one list, in order.",
                  "An algorithm that draws may name full backends only, n times in a row, while another has"
                      + " room: its request waits for the next end of a request. With least-conn inside, none"
                      + " ever does. What an algorithm remembers of its picks it remembers also of those that"
                      + " found no room.",
                  "HAProxy's limit of a time in the queue (`timeout queue`) is that of the response here."));
        }

        @Override
        public Regard regard(Parameters parameters) {
          return parameters.algorithm("of").regard();
        }

        @Override
        public int limit(Parameters parameters) {
          return parameters.whole("n");
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          int most = parameters.whole("n");
          return new Limit(
              Inner.of(parameters).create(backends, new Limited(view, most), ports),
              backends,
              view,
              most,
              parameters.whole("queue"));
        }
      };

  private final LoadBalancer inner;
  private final View view;
  private final int most;
  private final Waiting forAny;
  private final Waiting forOne;
  private BackendSet backends;

  private Limit(LoadBalancer inner, BackendSet backends, View view, int most, int queue) {
    this.inner = inner;
    this.backends = backends;
    this.view = view;
    this.most = most;
    this.forAny = new Waiting(queue, Waiting.Until.ANY_IS_FREE);
    this.forOne = new Waiting(queue, Waiting.Until.ONE_FOR_THIS_IS_FREE);
  }

  /// What the algorithm inside sees.
  private record Limited(View view, int most) implements View {
    @Override
    public int inFlight(int index) {
      return view.own(index) < most ? view.inFlight(index) : FULL;
    }

    @Override
    public int own(int index) {
      return view.own(index);
    }

    @Override
    public long ageNanos(long nowNanos) {
      return view.ageNanos(nowNanos);
    }

    @Override
    public long refreshNanos() {
      return view.refreshNanos();
    }

    @Override
    public long copies() {
      return view.copies();
    }
  }

  private boolean isFull() {
    for (int i = 0; i < backends.size(); i++) {
      if (view.own(i) < most) {
        return false;
      }
    }
    return backends.size() > 0;
  }

  @Override
  public PickResult pick(PickContext context) {
    if (isFull()) {
      return forAny;
    }
    for (int asked = 0; asked <= backends.size(); asked++) {
      PickResult result = inner.pick(context);
      if (!(result instanceof Picked picked) || view.own(picked.index()) < most) {
        return result;
      }
    }
    return forOne;
  }

  @Override
  public void update(BackendSet next) {
    backends = next;
    inner.update(next);
  }

  @Override
  public void completed(Picked picked, Outcome outcome) {
    inner.completed(picked, outcome);
  }

  @Override
  public void observe(BackendSignal signal) {
    inner.observe(signal);
  }

  @Override
  public Wants wants() {
    return inner.wants();
  }

  @Override
  public int idleQueueLength() {
    return inner.idleQueueLength();
  }
}
