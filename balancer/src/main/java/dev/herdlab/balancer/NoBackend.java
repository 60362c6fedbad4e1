package dev.herdlab.balancer;

/// A refusal: no backend can be picked, and why. An expected failure, hence a value.
///
/// @param reason for people, e.g. "the set is empty"
public record NoBackend(String reason) implements PickResult {
  /// The refusal of every algorithm when the set is empty.
  public static final NoBackend EMPTY_SET = new NoBackend("the set is empty");

  /// The refusal of a request that would have to wait and can't.
  public static final NoBackend ALL_BUSY = new NoBackend("all backends are busy");

  /// The refusal of a request that would have to wait behind too many others.
  public static final NoBackend TOO_MANY_WAIT = new NoBackend("too many requests wait");
}
