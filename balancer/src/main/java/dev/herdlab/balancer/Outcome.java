package dev.herdlab.balancer;

/// How a picked request ended. Owner thread: any (immutable).
public sealed interface Outcome {
  /// The one success.
  Outcome SUCCEEDED = new Succeeded();

  /// The one cancellation.
  Outcome CANCELLED = new Cancelled();

  /// The last byte of the backend's response arrived.
  record Succeeded() implements Outcome {}

  /// The request failed; its latency says little about the backend's speed.
  record Failed(FailureKind kind) implements Outcome {}

  /// The client left or is at fault, or nobody waits for the answer any more; says nothing about
  /// the backend.
  record Cancelled() implements Outcome {}
}
