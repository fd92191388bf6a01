package weft.conformance.foreign;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import weft.backend.Block;
import weft.backend.PageTable;
import weft.backend.StateStorage;

/**
 * The memory of states on the device. The host has numbers of blocks and tables; what they stand
 * for is looked up on the device's thread alone, where every change arrives in the order it was
 * made. Owns it.
 */
final class ForeignMemory implements StateStorage, AutoCloseable {
  private static final long ALIGNMENT = 256;

  private record Held(Arena arena, MemorySegment memory) {}

  private final Commands commands;
  private final AtomicInteger numbers = new AtomicInteger();
  private final Map<Integer, Held> blocks = new HashMap<>();
  private final Map<Integer, Map<Integer, Integer>> tables = new HashMap<>();

  ForeignMemory(Commands commands) {
    this.commands = commands;
  }

  @Override
  public Block allocate(long bytes) {
    int number = numbers.incrementAndGet();
    commands.tell(
        () -> {
          var arena = Arena.ofConfined();
          blocks.put(number, new Held(arena, arena.allocate(bytes, ALIGNMENT)));
        });
    return new Handle(number, bytes);
  }

  @Override
  public PageTable table() {
    int number = numbers.incrementAndGet();
    commands.tell(() -> tables.put(number, new HashMap<>()));
    return new Table(number);
  }

  /** A block's memory; on the device's thread. */
  MemorySegment memory(int block) {
    return blocks.get(block).memory;
  }

  /** The page at an index of a table; on the device's thread. */
  MemorySegment page(int table, int index) {
    return memory(tables.get(table).get(index));
  }

  /** What the host has of a block. */
  final class Handle implements Block {
    private final int number;
    private final long bytes;

    private Handle(int number, long bytes) {
      this.number = number;
      this.bytes = bytes;
    }

    int number() {
      return number;
    }

    @Override
    public long bytes() {
      return bytes;
    }

    @Override
    public void copyFrom(Block other) {
      int from = ((Handle) other).number;
      long both = Math.min(bytes, other.bytes());
      commands.tell(() -> MemorySegment.copy(memory(from), 0, memory(number), 0, both));
    }

    @Override
    public void clear() {
      commands.tell(() -> memory(number).fill((byte) 0));
    }

    @Override
    public void free() {
      commands.tell(() -> blocks.remove(number).arena.close());
    }
  }

  /** What the host has of a table. */
  final class Table implements PageTable {
    private final int number;

    private Table(int number) {
      this.number = number;
    }

    int number() {
      return number;
    }

    @Override
    public void put(int index, Block page) {
      int block = ((Handle) page).number;
      commands.tell(() -> tables.get(number).put(index, block));
    }

    @Override
    public void remove(int index) {
      commands.tell(() -> tables.get(number).remove(index));
    }

    @Override
    public void close() {
      commands.tell(() -> tables.remove(number));
    }
  }

  /** On the device's thread. */
  @Override
  public void close() {
    blocks.values().forEach(held -> held.arena.close());
    blocks.clear();
  }
}
