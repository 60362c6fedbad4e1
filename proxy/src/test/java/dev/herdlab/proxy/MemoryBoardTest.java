package dev.herdlab.proxy;

class MemoryBoardTest extends BoardContract {
  @Override
  protected CountBoard board() {
    return CountBoard.memory();
  }
}
