package dev.herdlab.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ResetsTest {
  @Test
  void theClientSeesAReset() throws Exception {
    accept(
        Resets::prepare,
        client ->
            assertThatThrownBy(() -> client.getInputStream().read())
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("reset"));
  }

  @Test
  void aChannelThatHasClosedIsLeftAlone() throws Exception {
    accept(
        channel -> {
          var _ = channel.close();
          Resets.prepare(channel);
        },
        client -> {});
  }

  // A connection that `server` is shown, then closed, while `client` looks.
  private static void accept(Consumer<Channel> server, Consumer<Socket> client) throws Exception {
    CompletableFuture<Boolean> done = new CompletableFuture<>();
    EventLoopGroup group = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    try {
      InetSocketAddress place =
          (InetSocketAddress)
              new ServerBootstrap()
                  .group(group)
                  .channel(NioServerSocketChannel.class)
                  .childHandler(
                      new ChannelInboundHandlerAdapter() {
                        @Override
                        public void channelActive(ChannelHandlerContext context) {
                          try {
                            server.accept(context.channel());
                            var _ = context.close();
                            done.complete(true);
                          } catch (RuntimeException e) {
                            done.completeExceptionally(e);
                          }
                        }
                      })
                  .bind(InetAddress.getLoopbackAddress(), 0)
                  .sync()
                  .channel()
                  .localAddress();
      try (Socket socket = new Socket(place.getAddress(), place.getPort())) {
        assertThat(done.get()).isTrue();
        client.accept(socket);
      }
    } finally {
      group.shutdownGracefully().syncUninterruptibly();
    }
  }
}
