package dev.herdlab.dns;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// What a name stands for, kept up to date: asks DNS, asks again when the answer has run out, and
/// tells a listener when the members change.
///
/// An answer is believed for its TTL, but at least 1 s and at most the settings' `maxTtl`; that
/// there is no such name, for the SOA's minimum within the same bounds. When a server does not
/// answer, or answers that it cannot, the last good answer stays in use, the listener is told once,
/// and the question is put again after a second; that there is no such name is an answer, and there
/// are no members then. Addresses and `localhost` are reported once, and no server is asked.
/// `/etc/hosts` is not read.
///
/// Cost: one thread of its own, which mostly sleeps. Owner thread: any; the listener is called on
/// the discovery's own.
public final class Discovery implements AutoCloseable {
  private static final Duration LONGEST_CLOSE = Duration.ofSeconds(1);

  private final DiscoveryTarget target;
  private final DiscoverySettings settings;
  private final LongSupplier nanoClock;
  private final DiscoveryListener listener;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final Thread thread;
  private volatile List<Member> members = List.of();

  /// Of a target; nothing happens before [#start].
  ///
  /// @param nanoClock `System::nanoTime`
  public Discovery(
      DiscoveryTarget target,
      DiscoverySettings settings,
      LongSupplier nanoClock,
      DiscoveryListener listener) {
    this.target = target;
    this.settings = settings;
    this.nanoClock = nanoClock;
    this.listener = listener;
    this.thread = Thread.ofPlatform().daemon().name("discovery").unstarted(this::run);
  }

  /// Begins to ask; returns at once. To be called once.
  public void start() {
    thread.start();
  }

  /// The members as last reported; empty before the first report.
  public List<Member> members() {
    return members;
  }

  private void run() {
    SystemServer server =
        settings.server().map(SystemServer::given).orElseGet(SystemServer::fromResolvConf);
    DnsClient client = new DnsClient(server.address(), DnsClient.TIMEOUT);
    Questions questions =
        new Questions(client::ask, DiscoverySettings.MIN_TTL, settings.maxTtl(), nanoClock);
    Resolution resolution = new Resolution(target, server, questions);
    boolean troubled = false;
    try {
      boolean over = false;
      while (!over) {
        Resolution.Pass pass = resolution.pass();
        if (closed.getCount() == 0) {
          return;
        }
        report(pass, troubled);
        troubled = pass.trouble().isPresent();
        long wait = pass.nextNanos() - nanoClock.getAsLong();
        over = closed.await(Math.max(0, wait), TimeUnit.NANOSECONDS);
      }
    } catch (InterruptedException closing) {
      // Nothing is left to do.
    }
  }

  private void report(Resolution.Pass pass, boolean troubled) {
    Optional<String> trouble = pass.trouble();
    boolean changed = pass.usable() && !pass.members().equals(members);
    if (changed) {
      members = pass.members();
      listener.changed(members);
    }
    if (trouble.isPresent() && !troubled) {
      listener.note(target + ": " + trouble.get() + "; members in use: " + members.size());
    } else if (trouble.isEmpty() && troubled) {
      listener.note(target + ": resolved again; members in use: " + members.size());
    }
  }

  /// Stops asking; the listener is not called any more once this has returned, unless it is busy
  /// for over a second. Idempotent.
  @Override
  public void close() {
    closed.countDown();
    thread.interrupt();
    if (Thread.currentThread() == thread) {
      return;
    }
    try {
      thread.join(LONGEST_CLOSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
