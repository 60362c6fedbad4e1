package dev.herdlab.transport;

import io.netty.util.AsciiString;

/// The names of Herdlab's own header fields, in lower case, and of the one that others gave it for
/// load reports. Numbers in them are decimal ASCII; instants are `System.nanoTime()` of the
/// sender's host. Owner thread: any (immutable).
public final class HeaderNames {
  /// Request: the number of the request in its trace; set by the generator, passed on by the proxy.
  public static final AsciiString REQUEST = AsciiString.cached("x-herdlab-request");

  /// Request: nanoseconds of service at speed 1; set by the generator, passed on by the proxy.
  public static final AsciiString SERVICE = AsciiString.cached("x-herdlab-service");

  /// Request: nanoseconds that the client waits for the end of the response, from its sending on;
  /// set by the generator, kept by the proxy (`deadline-exceeded`) and passed on to the backend.
  public static final AsciiString TIMEOUT = KnownField.X_HERDLAB_TIMEOUT.fieldName();

  /// Request: the attribute that hashing and affinity go by, any text; set by the generator (`t17`
  /// for tenant 17), passed on by the proxy.
  public static final AsciiString KEY = AsciiString.cached("x-herdlab-key");

  /// Request: `1` asks for a load report with the response; set by the proxy when its balancer
  /// wants one.
  public static final AsciiString REPORT = KnownField.X_HERDLAB_REPORT.fieldName();

  /// Response: a load report in one of ORCA's forms; set by the backend when asked, kept by the
  /// proxy.
  public static final AsciiString LOAD_METRICS = KnownField.ENDPOINT_LOAD_METRICS.fieldName();

  /// Request: `PROXY,LENGTH`: a number that the proxy instance goes by, and how many idle backends
  /// it knows; set by the proxy when its balancer wants idle notices by length.
  public static final AsciiString IDLE_QUEUE = KnownField.X_HERDLAB_IDLE_QUEUE.fieldName();

  /// Response: the id of the backend; set by it, or by the proxy on an error that it originates
  /// after a pick.
  public static final AsciiString BACKEND = AsciiString.cached("x-herdlab-backend");

  /// Response: `received,start,finish,delivered`; set by the backend.
  public static final AsciiString BACKEND_STAMPS = AsciiString.cached("x-herdlab-backend-stamps");

  /// Response: requests at the backend when this one arrived, itself included; set by the backend.
  /// To a probe: requests at the backend, without the probe.
  public static final AsciiString IN_FLIGHT = AsciiString.cached("x-herdlab-in-flight");

  /// Response to a probe: nanoseconds that a request would take, as the backend estimates it.
  public static final AsciiString LATENCY = AsciiString.cached("x-herdlab-latency-ns");

  /// Response: waiting and service time in milliseconds, for people; set by the backend.
  public static final AsciiString SERVER_TIMING = AsciiString.cached("server-timing");

  /// Response: the number of the proxy instance; set by it if the request carried [#REQUEST].
  public static final AsciiString PROXY = AsciiString.cached("x-herdlab-proxy");

  /// Response: `received,picked,forwarded,returned`, -1 for what did not happen; set by the proxy
  /// if the request carried [#REQUEST].
  public static final AsciiString PROXY_STAMPS = AsciiString.cached("x-herdlab-proxy-stamps");

  /// Response: the attempts beside the one that decided, in the order in which they ended, with
  /// semicolons between: `BACKEND,picked,forwarded,ended`, -1 for what did not happen; `ended` is
  /// when it was given up since another one was answered, -1 if it failed. Set by the proxy if
  /// there were any and the request carried [#REQUEST].
  public static final AsciiString ATTEMPTS = KnownField.X_HERDLAB_ATTEMPTS.fieldName();

  /// Response: the label of the failure, on an error that the proxy originates.
  public static final AsciiString CAUSE = AsciiString.cached("x-herdlab-cause");

  /// Response: why the backend itself turned the request away, [#SHED]; set by it, passed on by the
  /// proxy.
  public static final AsciiString REFUSAL = AsciiString.cached("x-herdlab-refusal");

  /// The backend's queue is at its limit.
  public static final String SHED = "shed";

  private HeaderNames() {}
}
