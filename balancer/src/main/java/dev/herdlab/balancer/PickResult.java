package dev.herdlab.balancer;

/// What a balancer answers: a backend, or why there is none.
public sealed interface PickResult permits Picked, NoBackend {}
