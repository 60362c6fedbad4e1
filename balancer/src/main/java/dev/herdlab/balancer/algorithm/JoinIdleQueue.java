package dev.herdlab.balancer.algorithm;

import dev.herdlab.balancer.Algorithm;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.BackendSignal;
import dev.herdlab.balancer.LoadBalancer;
import dev.herdlab.balancer.NoBackend;
import dev.herdlab.balancer.Parameter;
import dev.herdlab.balancer.Parameters;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.PickResult;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.Ports;
import dev.herdlab.balancer.View;
import java.util.List;

/// Picks a backend that has told this proxy that it is idle; if none has, a uniformly random one.
///
/// The idle queue is first in, first out. A backend stands in it once: a notice from one that is
/// queued already changes nothing. Only a pick takes one out, so that an entry may be stale:
/// another proxy whose own queue was empty may have hit it meanwhile.
///
/// Cost: O(1) a pick, one draw if the queue is empty; a hash look-up a notice. Owner thread: its
/// dispatcher's.
final class JoinIdleQueue implements LoadBalancer {
  static final Algorithm ALGORITHM =
      new Algorithm() {
        @Override
        public Description description() {
          return new Description(
              "join-idle-queue",
              "A backend that becomes idle tells one proxy, which queues it; a pick takes the first of the"
                  + " queue, or a uniformly random backend when the queue is empty.",
              List.of(
                  Parameter.whole(
                      "d",
                      1,
                      64,
                      "1",
                      "whom an idle backend tells: 1: a random proxy; more: of so many random ones the one"
                          + " with the shortest queue")),
              "O(1), no draw, or one when the queue is empty",
              "the queue of idle backends; survivors keep their places",
              List.of(
                  "Lu, Xie, Kliot, Geller, Larus, Greenberg, *Join-Idle-Queue*, Performance Evaluation"
                      + " 68(11), 2011: JIQ-Random and JIQ-SQ(d)"),
              List.of(
                  "A backend that is hit at random by one proxy while it is queued at another stays queued:"
                      + " the notice is not taken back. The paper leaves that open and ignores it in its"
                      + " analysis.",
                  "Queues are empty at the start: a backend tells when it becomes idle, not that it is."));
        }

        @Override
        public LoadBalancer create(
            Parameters parameters, BackendSet backends, View view, Ports ports) {
          return new JoinIdleQueue(parameters.whole("d"), backends, ports.random());
        }
      };

  private final Wants wants;
  private final Ports.RandomSource random;
  private BackendSet backends;

  /// A ring of indices, from `head` on.
  private int[] queue;

  private boolean[] queued;
  private int head;
  private int length;

  private JoinIdleQueue(int choices, BackendSet backends, Ports.RandomSource random) {
    this.wants = new Wants(false, choices, false);
    this.random = random;
    this.backends = backends;
    this.queue = new int[backends.size()];
    this.queued = new boolean[backends.size()];
  }

  @Override
  public PickResult pick(PickContext context) {
    int size = backends.size();
    if (size == 0) {
      return NoBackend.EMPTY_SET;
    }
    return new Picked(backends, length == 0 ? random.below(size) : take());
  }

  private int take() {
    int index = queue[head];
    head = head + 1 == queue.length ? 0 : head + 1;
    length--;
    queued[index] = false;
    return index;
  }

  private void put(int index) {
    if (!queued[index]) {
      queued[index] = true;
      queue[(head + length) % queue.length] = index;
      length++;
    }
  }

  @Override
  public void observe(BackendSignal signal) {
    if (signal instanceof BackendSignal.IdleNotice(String id)) {
      int index = backends.indexOf(id);
      if (index >= 0) {
        put(index);
      }
    }
  }

  @Override
  public Wants wants() {
    return wants;
  }

  @Override
  public int idleQueueLength() {
    return length;
  }

  @Override
  public void update(BackendSet next) {
    BackendSet before = backends;
    int[] old = queue;
    int oldHead = head;
    int oldLength = length;
    backends = next;
    queue = new int[next.size()];
    queued = new boolean[next.size()];
    head = 0;
    length = 0;
    for (int i = 0; i < oldLength; i++) {
      int at = next.indexOf(before.get(old[(oldHead + i) % old.length]).id());
      if (at >= 0) {
        put(at);
      }
    }
  }
}
