package weft.backend;

/** The float32 elements of one recurrent slot, zero at the beginning; owns them. */
final class RecurrentMemory implements AutoCloseable {
  private final SharedBlock memory;

  RecurrentMemory(long bytes, StatePool.Room room) {
    this.memory = room.take(bytes);
    clear();
  }

  Block block() {
    return memory.block();
  }

  long bytes() {
    return memory.bytes();
  }

  void clear() {
    memory.block().clear();
  }

  @Override
  public void close() {
    memory.release();
  }
}
