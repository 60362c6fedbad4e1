package dev.herdlab.proxy;

import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.RequestKey;
import dev.herdlab.transport.Head;

/// What balancers are told of the requests of one client's connection.
///
/// Cost: that of the attribute; an allocation for a request that has it, or a cookie that is
/// wanted. Owner thread: its connection's.
final class PickContexts {
  private final RequestAttribute.Keys keys;

  /// @param clientAddress without the port
  PickContexts(RequestAttribute attribute, String clientAddress) {
    this.keys = attribute.of(clientAddress);
  }

  /// @param cookies whether the balancer wants to know which backend the client's cookie names
  PickContext of(Head head, boolean cookies) {
    long key = keys.key(head);
    String pinned = cookies ? pinned(head) : "";
    return key == RequestKey.NONE && pinned.isEmpty()
        ? PickContext.PLAIN
        : new PickContext(key, pinned);
  }

  private static String pinned(Head head) {
    long range = Cookies.find(head, Cookies.BACKEND);
    return range == Cookies.NOWHERE ? "" : head.text(Cookies.start(range), Cookies.end(range));
  }
}
