package dev.herdlab.simulator;

import dev.herdlab.balancer.Backend;
import dev.herdlab.balancer.BackendSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// The backends that proxies may pick from, while some leave, join or get other weights: those who
/// are there, in the order of the run's whole set.
///
/// Cost: O(n) a change. Owner thread: its host's.
public final class Members {
  private final BackendSet all;
  private final boolean[] present;
  private final int[] weights;
  private BackendSet now;

  /// All of them.
  public Members(BackendSet all) {
    this.all = all;
    this.now = all;
    this.present = new boolean[all.size()];
    this.weights = new int[all.size()];
    for (int i = 0; i < weights.length; i++) {
      present[i] = true;
      weights[i] = all.get(i).weight();
    }
  }

  /// The set of now.
  public BackendSet now() {
    return now;
  }

  /// Whether a backend is in it, by its number in the whole set.
  boolean has(int backend) {
    return present[backend];
  }

  /// Makes a change.
  ///
  /// @return the next set; empty if that is the same, as members and their weights are
  /// @throws IllegalArgumentException if one leaves that is not there, or joins that is
  public Optional<BackendSet> make(Change change) {
    switch (change) {
      case Change.Weight weight -> weights[weight.backend()] = weight.weight();
      case Change.Leave leave -> move(leave.backend(), true);
      case Change.Join join -> move(join.backend(), false);
      case Change.Fault _, Change.Speed _, Change.Restart _ -> {
        return Optional.empty();
      }
    }
    List<Backend> members = new ArrayList<>();
    for (int i = 0; i < present.length; i++) {
      if (present[i]) {
        members.add(new Backend(all.get(i).id(), weights[i]));
      }
    }
    BackendSet next = now.next(members);
    boolean same = next.size() == now.size();
    for (int i = 0; same && i < members.size(); i++) {
      same = members.get(i).equals(now.get(i));
    }
    now = same ? now : next;
    return same ? Optional.empty() : Optional.of(now);
  }

  private void move(int backend, boolean leaves) {
    if (present[backend] != leaves) {
      throw new IllegalArgumentException(
          "backend: %s %s (expected: one that is %sthere)"
              .formatted(all.get(backend).id(), leaves ? "leaves" : "joins", leaves ? "" : "not "));
    }
    present[backend] = !leaves;
  }
}
