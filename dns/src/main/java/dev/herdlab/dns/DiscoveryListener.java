package dev.herdlab.dns;

import java.util.List;

/// What [Discovery] tells; called on its thread, which waits until the call returns. It must not
/// throw.
public interface DiscoveryListener {
  /// The members are now these: not the same as at the last call (before the first one: none).
  ///
  /// @param members sorted, immutable, each address once; empty when the name has gone
  void changed(List<Member> members);

  /// One line for people: names cannot be resolved (said once, not at each try), or can be again.
  void note(String line);
}
