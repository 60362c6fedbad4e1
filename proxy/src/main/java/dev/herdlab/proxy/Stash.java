package dev.herdlab.proxy;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;

/// Bytes of one client that can't be looked at yet, in one buffer, so that not each of many
/// small reads holds one.
///
/// Buffers: `bytes` is owned here. Cost: the first read is kept as it is, those after it are
/// copied. Owner thread: its connection's.
final class Stash {
  private final ByteBufAllocator allocator;
  private ByteBuf bytes = Unpooled.EMPTY_BUFFER;

  Stash(ByteBufAllocator allocator) {
    this.allocator = allocator;
  }

  int size() {
    return bytes.readableBytes();
  }

  boolean isEmpty() {
    return !bytes.isReadable();
  }

  /// Appends; takes over the buffer.
  void add(ByteBuf in) {
    if (isEmpty()) {
      bytes.release();
      bytes = in;
      return;
    }
    int more = in.readableBytes();
    if (bytes.writableBytes() < more) {
      // Not grown in place: slices of it may be on their way to the backend.
      ByteBuf larger = allocator.directBuffer(2 * (size() + more));
      larger.writeBytes(bytes);
      bytes.release();
      bytes = larger;
    }
    bytes.writeBytes(in);
    in.release();
  }

  /// Gives all of it away.
  ByteBuf take() {
    ByteBuf taken = bytes;
    bytes = Unpooled.EMPTY_BUFFER;
    return taken;
  }

  /// Forgets all of it.
  void drop() {
    take().release();
  }
}
