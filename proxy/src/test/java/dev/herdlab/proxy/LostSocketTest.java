package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import dev.herdlab.balancer.Algorithms;
import dev.herdlab.balancer.BackendSet;
import dev.herdlab.balancer.Counts;
import dev.herdlab.balancer.DispatchListener;
import dev.herdlab.balancer.FailureKind;
import dev.herdlab.balancer.Outcome;
import dev.herdlab.balancer.PickContext;
import dev.herdlab.balancer.Picked;
import dev.herdlab.balancer.SeededRandom;
import dev.herdlab.balancer.ViewSpec;
import dev.herdlab.transport.PreciseLoop;
import dev.herdlab.transport.Scheduling;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Sockets that can't be made, or are gone before anybody was told.
@Timeout(60)
class LostSocketTest {
  private static final Duration BOUND = Duration.ofSeconds(30);
  private static final InetSocketAddress NOBODY =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);

  private final PreciseLoop loop =
      PreciseLoop.create(new PreciseLoop.Settings("test-loop", 0, Scheduling.DEFAULT));
  private final ProxySettings settings =
      ProxySettings.of("127.0.0.1", 1, List.of(BackendAddress.of("b0", NOBODY)))
          .withPool(new PoolSettings(0, 1));
  // As when no file descriptor is left.
  private final Bootstrap noSockets =
      new Bootstrap()
          .group(loop.eventLoop())
          .channelFactory(
              () -> {
                throw new ChannelException("Too many open files");
              });
  private final List<Outcome> outcomes = new ArrayList<>();
  private final List<Boolean> inLoop = new ArrayList<>();

  @BeforeEach
  void start() throws Exception {
    loop.start();
  }

  @AfterEach
  void close() {
    loop.close();
    assertThat(loop.failure()).isNull();
  }

  // Its thread would be missed by a test that counts threads.
  @AfterAll
  static void awaitNettysOwnThread() throws InterruptedException {
    assertThat(GlobalEventExecutor.INSTANCE.awaitInactivity(BOUND.toSeconds(), TimeUnit.SECONDS))
        .isTrue();
  }

  private ProxyInstance instance() {
    DispatchListener recorder =
        new DispatchListener() {
          @Override
          public void picked(int proxy, Picked picked, PickContext context) {}

          @Override
          public void completed(int proxy, Picked picked, Outcome outcome, long nowNanos) {
            outcomes.add(outcome);
            inLoop.add(loop.inLoop());
          }
        };
    BackendSet backends = settings.backendSet();
    var instance =
        new ProxyInstance(
            0,
            loop,
            settings,
            noSockets,
            backends,
            new Counts(backends),
            loop::nanos,
            recorder,
            ExchangeListener.NONE,
            1);
    instance.pools().update(settings.backends());
    instance
        .dispatcher()
        .install(
            Algorithms.builtIn().parse("round-robin", 1),
            ViewSpec.parse("local", 1),
            SeededRandom.of(1, "coins", 0),
            (delayNanos, task) -> {},
            backend -> {});
    return instance;
  }

  private Channel client(ProxyInstance instance) throws Exception {
    return new Bootstrap()
        .group(loop.eventLoop())
        .channel(loop.channelType())
        .handler(
            new ChannelInitializer<SocketChannel>() {
              @Override
              protected void initChannel(SocketChannel channel) {
                var _ = channel.pipeline().addLast(new ClientConnection(instance, channel));
              }
            })
        .register()
        .sync()
        .channel();
  }

  private static void read(Channel channel, String text) {
    channel.pipeline().fireChannelRead(ByteBufUtil.writeAscii(channel.alloc(), text));
  }

  @Test
  void aBackendSocketThatCannotBeMadeFailsOnTheLoopsThread() throws Exception {
    ProxyInstance instance = loop.call(this::instance, BOUND);
    assertThat(
            loop.call(
                    () -> instance.pools().get(0).warm().handle((opened, cause) -> loop.inLoop()),
                    BOUND)
                .get(BOUND.toSeconds(), TimeUnit.SECONDS))
        .isTrue();
    Channel client = client(instance);
    loop.execute(() -> read(client, "GET / HTTP/1.1\r\nHost: h\r\n\r\n"));
    Fixture.eventually("failed", () -> onLoop(() -> outcomes.size()) == 1);
    assertThat(outcomes).containsExactly(new Outcome.Failed(FailureKind.CONNECT_FAILED));
    assertThat(inLoop).containsExactly(true);
    assertThat(onLoop(() -> instance.pools().get(0).open())).isZero();
  }

  @Test
  void nothingIsPickedForAClientThatIsGoneAlready() throws Exception {
    ProxyInstance instance = loop.call(this::instance, BOUND);
    Channel client = client(instance);
    onLoop(
        () -> {
          // What was read before the end is brought to the connection after it.
          var _ = client.close();
          read(client, "GET / HTTP/1.1\r\nHost: h\r\n\r\n".repeat(2));
          client.pipeline().fireChannelInactive();
          return true;
        });
    assertThat(onLoop(() -> instance.dispatcher().picks())).isZero();
    assertThat(outcomes).isEmpty();
  }

  private <T> T onLoop(Callable<T> task) {
    try {
      return loop.call(task, BOUND);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
