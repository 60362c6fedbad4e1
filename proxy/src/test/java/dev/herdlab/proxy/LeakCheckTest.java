package dev.herdlab.proxy;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.buffer.ByteBufAllocator;
import org.junit.jupiter.api.Test;

class LeakCheckTest {
  @Test
  void seesALeak() throws InterruptedException {
    for (int i = 0; i < 5; i++) {
      ByteBufAllocator.DEFAULT.directBuffer(32);
    }
    LeakCheck.collect();
    ByteBufAllocator.DEFAULT.directBuffer(16).release();
    assertThat(LeakCheck.leaks()).isNotEmpty();
    LeakCheck.leaks().clear();
  }
}
