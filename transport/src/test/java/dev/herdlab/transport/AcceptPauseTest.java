package dev.herdlab.transport;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class AcceptPauseTest {
  private final IOException full = new IOException("accept: Too many open files");

  private final List<String> lines = new ArrayList<>();
  private final AcceptPause pause = new AcceptPause("proxy", lines::add);

  private EmbeddedChannel channel() {
    EmbeddedChannel channel = new EmbeddedChannel(pause);
    channel.freezeTime();
    return channel;
  }

  private static void advance(EmbeddedChannel channel, long millis) {
    channel.advanceTimeBy(millis, TimeUnit.MILLISECONDS);
    channel.runScheduledPendingTasks();
  }

  @Test
  void acceptsAgainAfterThePauseAndNotBefore() {
    EmbeddedChannel channel = channel();
    channel.pipeline().fireExceptionCaught(full);
    assertThat(channel.config().isAutoRead()).isFalse();
    advance(channel, AcceptPause.PAUSE_MILLIS - 1);
    assertThat(channel.config().isAutoRead()).isFalse();
    advance(channel, 1);
    assertThat(channel.config().isAutoRead()).isTrue();
  }

  @Test
  void leavesAClosedChannelAlone() {
    EmbeddedChannel channel = channel();
    channel.pipeline().fireExceptionCaught(full);
    var _ = channel.close();
    advance(channel, AcceptPause.PAUSE_MILLIS);
    assertThat(channel.config().isAutoRead()).isFalse();
  }

  @Test
  void logsOneLineASecondAndCountsTheRest() {
    EmbeddedChannel channel = channel();
    for (int i = 0; i < 5; i++) {
      channel.pipeline().fireExceptionCaught(full);
      advance(channel, AcceptPause.PAUSE_MILLIS);
    }
    assertThat(lines)
        .containsExactly("proxy: cannot accept a connection: accept: Too many open files");
    advance(channel, 500);
    channel.pipeline().fireExceptionCaught(full);
    channel.pipeline().fireExceptionCaught(full);
    assertThat(lines)
        .hasSize(2)
        .last()
        .isEqualTo(
            "proxy: cannot accept a connection: accept: Too many open files"
                + " (and 4 times more since the last line)");
  }

  @Test
  void channelsShareTheLinesButNotThePause() {
    EmbeddedChannel first = channel();
    EmbeddedChannel second = new EmbeddedChannel(pause);
    first.pipeline().fireExceptionCaught(full);
    assertThat(second.config().isAutoRead()).isTrue();
    first.pipeline().fireExceptionCaught(full);
    assertThat(lines).hasSize(1);
  }

  @Test
  void aListeningSocketGoesOnAndNobodyElseHearsOfIt() throws Exception {
    PreciseLoop loop =
        PreciseLoop.create(new PreciseLoop.Settings("test-loop", 0, Scheduling.DEFAULT));
    loop.start();
    try {
      var accepted = new CompletableFuture<Channel>();
      var heard = new CompletableFuture<Throwable>();
      Channel server =
          new ServerBootstrap()
              .group(loop.eventLoop())
              .channel(loop.serverChannelType())
              .handler(pause)
              .childHandler(
                  new ChannelInboundHandlerAdapter() {
                    @Override
                    public void channelActive(ChannelHandlerContext context) {
                      accepted.complete(context.channel());
                    }
                  })
              .bind(InetAddress.getLoopbackAddress(), 0)
              .sync()
              .channel();
      server
          .pipeline()
          .addLast(
              new ChannelInboundHandlerAdapter() {
                @Override
                public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
                  heard.complete(cause);
                }
              });
      server.pipeline().fireExceptionCaught(full);
      try (Socket client = new Socket()) {
        client.connect((InetSocketAddress) server.localAddress(), 10_000);
        assertThat(accepted.get(30, TimeUnit.SECONDS).isActive()).isTrue();
      }
      assertThat(heard).isNotDone();
      assertThat(server.config().isAutoRead()).isTrue();
    } finally {
      loop.close();
    }
  }
}
