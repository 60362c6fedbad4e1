package dev.herdlab.workload;

import java.io.IOException;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/// The plan of a run: for each request its intended instant, proxy, service time and tenant.
///
/// Every algorithm meets the same trace, and the model replays the very one that was measured.
/// Columns of primitives, 24 bytes a request. Owner thread: any (immutable).
public final class Trace {
  /// Requests that a trace may have: 240 MB of columns.
  public static final int MAX_REQUESTS = 10_000_000;

  /// The tenant of a request that has none.
  public static final int NO_TENANT = -1;

  private final int proxies;
  private final long[] intendedNanos;
  private final int[] proxy;
  private final long[] serviceNanos;
  private final int[] tenant;

  private Trace(int proxies, long[] intendedNanos, int[] proxy, long[] serviceNanos, int[] tenant) {
    this.proxies = proxies;
    this.intendedNanos = intendedNanos;
    this.proxy = proxy;
    this.serviceNanos = serviceNanos;
    this.tenant = tenant;
  }

  /// A plan without tenants: see the other method.
  public static Trace generate(
      long seed,
      int requests,
      int proxies,
      ArrivalProcess arrivals,
      ServiceLaw law,
      long unitNanos) {
    return generate(
        seed, requests, proxies, ProxyLaw.UNIFORM, arrivals, law, TenantLaw.NONE, unitNanos);
  }

  /// A plan drawn from the streams (seed, "arrival"), (seed, "proxy"), (seed, "service") and (seed,
  /// "tenant"), one for each purpose, so that another number of proxies or another law leaves the
  /// other columns as they are.
  ///
  /// @param requests how many, 0 to [#MAX_REQUESTS]
  /// @param proxies at least 1
  /// @param reached which of them each request reaches
  /// @param unitNanos the unit of the law's times
  /// @throws IllegalArgumentException in one line, if `reached` is not for so many proxies
  public static Trace generate(
      long seed,
      int requests,
      int proxies,
      ProxyLaw reached,
      ArrivalProcess arrivals,
      ServiceLaw law,
      TenantLaw tenants,
      long unitNanos) {
    if (requests < 0 || requests > MAX_REQUESTS) {
      throw new IllegalArgumentException(
          "requests: " + requests + " (expected: 0 to " + MAX_REQUESTS + ")");
    }
    if (proxies < 1) {
      throw new IllegalArgumentException("proxies: " + proxies + " (expected: >= 1)");
    }
    if (unitNanos <= 0) {
      throw new IllegalArgumentException("unit: " + unitNanos + " ns (expected: > 0)");
    }
    RandomStream arrivalStream = RandomStream.of(seed, "arrival");
    RandomStream serviceStream = RandomStream.of(seed, "service");
    RandomStream tenantStream = RandomStream.of(seed, "tenant");
    long[] intended = new long[requests];
    int[] proxy = new int[requests];
    long[] service = new long[requests];
    int[] tenant = new int[requests];
    ArrivalProcess coming = arrivals.begin();
    ProxyLaw.Draws next = reached.begin(proxies, RandomStream.of(seed, "proxy"));
    TenantLaw drawn = tenants.begin();
    long now = 0;
    for (int i = 0; i < requests; i++) {
      now = coming.nextNanos(now, arrivalStream);
      intended[i] = now;
      proxy[i] = next.next();
      service[i] = law.sampleNanos(serviceStream, unitNanos);
      tenant[i] = drawn.next(tenantStream);
    }
    return new Trace(proxies, intended, proxy, service, tenant);
  }

  /// A plan without tenants, from columns of equal length, which are copied.
  ///
  /// @throws IllegalArgumentException if instants go back, or a proxy or service time is out of
  ///     range
  public static Trace of(int proxies, long[] intendedNanos, int[] proxy, long[] serviceNanos) {
    int[] tenant = new int[intendedNanos.length];
    Arrays.fill(tenant, NO_TENANT);
    return of(proxies, intendedNanos, proxy, serviceNanos, tenant);
  }

  /// A plan from columns of equal length, which are copied.
  ///
  /// @param tenant of each request, 1 or more, or [#NO_TENANT]
  /// @throws IllegalArgumentException if instants go back, or a proxy, service time or tenant is
  ///     out of range
  public static Trace of(
      int proxies, long[] intendedNanos, int[] proxy, long[] serviceNanos, int[] tenant) {
    TraceColumns columns = new TraceColumns();
    int size = intendedNanos.length;
    if (proxy.length != size || serviceNanos.length != size || tenant.length != size) {
      throw new IllegalArgumentException(
          "columns: %d intended, %d proxies, %d service times, %d tenants (expected: equally many)"
              .formatted(size, proxy.length, serviceNanos.length, tenant.length));
    }
    for (int i = 0; i < size; i++) {
      columns.add(intendedNanos[i], proxy[i], serviceNanos[i], tenant[i]);
    }
    if (proxies < columns.proxies()) {
      throw new IllegalArgumentException(
          "proxies: " + proxies + " (expected: >= " + columns.proxies() + ", which occur)");
    }
    return columns.trace(proxies);
  }

  /// What becomes a trace, row by row, each checked.
  static final class TraceColumns {
    private long[] intendedNanos = new long[1024];
    private int[] proxy = new int[1024];
    private long[] serviceNanos = new long[1024];
    private int[] tenant = new int[1024];
    private int size;
    private int proxies = 1;

    int size() {
      return size;
    }

    int proxies() {
      return proxies;
    }

    void add(long intended, int itsProxy, long service, int itsTenant) {
      long last = size == 0 ? 0 : intendedNanos[size - 1];
      require(intended >= last, "intended_ns", intended, ">= " + last + ", the one before");
      require(itsProxy >= 0 && itsProxy < Integer.MAX_VALUE, "proxy", itsProxy, ">= 0");
      require(service >= 0, "service_ns", service, ">= 0");
      require(itsTenant > 0 || itsTenant == NO_TENANT, "tenant", itsTenant, ">= 1, or -1 for none");
      require(size < MAX_REQUESTS, "i", size, "at most " + MAX_REQUESTS + " requests");
      if (size == intendedNanos.length) {
        intendedNanos = Arrays.copyOf(intendedNanos, 2 * size);
        proxy = Arrays.copyOf(proxy, 2 * size);
        serviceNanos = Arrays.copyOf(serviceNanos, 2 * size);
        tenant = Arrays.copyOf(tenant, 2 * size);
      }
      intendedNanos[size] = intended;
      proxy[size] = itsProxy;
      serviceNanos[size] = service;
      tenant[size] = itsTenant;
      size++;
      proxies = Math.max(proxies, itsProxy + 1);
    }

    private static void require(boolean holds, String what, long value, String expected) {
      if (!holds) {
        throw new IllegalArgumentException(what + ": " + value + " (expected: " + expected + ")");
      }
    }

    Trace trace(int ofProxies) {
      return new Trace(
          ofProxies,
          Arrays.copyOf(intendedNanos, size),
          Arrays.copyOf(proxy, size),
          Arrays.copyOf(serviceNanos, size),
          Arrays.copyOf(tenant, size));
    }
  }

  /// Requests planned.
  public int size() {
    return intendedNanos.length;
  }

  /// When request `i` (from 0) is to be sent, since the run's start.
  public long intendedNanos(int i) {
    return intendedNanos[i];
  }

  /// The proxy that request `i` goes to, from 0.
  public int proxy(int i) {
    return proxy[i];
  }

  /// The service time of request `i` on a backend of speed 1.
  public long serviceNanos(int i) {
    return serviceNanos[i];
  }

  /// The tenant of request `i`, from 1; [#NO_TENANT] if it has none.
  public int tenant(int i) {
    return tenant[i];
  }

  /// The attribute of request `i` that algorithms hash: `t17` for tenant 17, empty if it has none.
  public String key(int i) {
    return tenant[i] == NO_TENANT ? "" : "t" + tenant[i];
  }

  /// Proxies of the run; of a trace that was read, one more than the largest number that occurs.
  public int proxies() {
    return proxies;
  }

  /// The same plan for a run with `count` proxies, some of which may get no request.
  ///
  /// @throws IllegalArgumentException if more occur
  public Trace withProxies(int count) {
    int occurring = 1 + Arrays.stream(proxy).max().orElse(0);
    if (count < occurring) {
      throw new IllegalArgumentException(
          "proxies: " + count + " (expected: >= " + occurring + ", which occur)");
    }
    return new Trace(count, intendedNanos, proxy, serviceNanos, tenant);
  }

  /// The same requests at other instants and through other proxies: the plan as it was carried out.
  ///
  /// @param intended as many as there are requests; instants must not go back
  /// @param proxyOf each request, 0 or more
  public Trace executed(long[] intended, int[] proxyOf) {
    if (intended.length != size() || proxyOf.length != size()) {
      throw new IllegalArgumentException(
          "columns: %d intended, %d proxies (expected: %d, as planned)"
              .formatted(intended.length, proxyOf.length, size()));
    }
    TraceColumns columns = new TraceColumns();
    for (int i = 0; i < size(); i++) {
      columns.add(intended[i], proxyOf[i], serviceNanos[i], tenant[i]);
    }
    return columns.trace(Math.max(proxies, columns.proxies()));
  }

  /// The last intended instant; 0 if there is none.
  public long lastIntendedNanos() {
    return size() == 0 ? 0 : intendedNanos[size() - 1];
  }

  /// SHA-256 of the columns in hex: equal for equal plans, also after writing and reading.
  public String sha256() {
    try {
      MessageDigest digest = MessageDigest.getInstance("SHA-256");
      TraceFile.digest(this, digest);
      return HexFormat.of().formatHex(digest.digest());
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  /// Writes gzipped CSV with the columns `i,intended_ns,proxy,service_ns,tenant`; tenant 0 stands
  /// for none.
  public void write(Path csvGz) throws IOException {
    TraceFile.write(this, csvGz);
  }

  /// Reads what [#write] wrote, or the requests of one cell of a [RunLogWriter]'s file: columns are
  /// found by name, `tenant` and `cell` may be missing, others are passed over.
  ///
  /// @param cell its number, from 1; without meaning where there is no such column
  /// @throws IllegalArgumentException if the content is wrong: file, line, found and expected
  /// @throws IOException if it cannot be read
  public static Trace read(Path csvGz, int cell) throws IOException {
    return TraceFile.read(csvGz, cell);
  }

  /// The first, or only, cell's.
  public static Trace read(Path csvGz) throws IOException {
    return read(csvGz, 1);
  }
}
