package dev.herdlab.balancer;

/// What a balancer answers: a backend, why there is none, or that the request has to wait for one.
public sealed interface PickResult permits Picked, NoBackend, Waiting {}
