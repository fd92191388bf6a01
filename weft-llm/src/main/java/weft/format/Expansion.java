package weft.format;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import weft.quant.Encoding;

/**
 * The tensors of a checkpoint with those decoded that take fewer bits a value than an encoding;
 * others, and those that weft cannot decode, are as they were.
 */
final class Expansion {
  /** As GGUF aligns tensors at the least, and no less than a line of a cache. */
  private static final long ALIGNMENT = 64;

  /** Values that are decoded at once: a whole number of blocks of any encoding. */
  private static final int CHUNK = 1 << 20;

  private final Checkpoint packed;
  private final Encoding to;

  Expansion(Checkpoint packed, Encoding to) {
    this.packed = packed;
    this.to = to;
  }

  private Optional<Encoding> expanded(StoredTensor tensor) {
    return tensor
        .type()
        .encoding()
        .filter(from -> bits(from) < bits(to))
        .filter(from -> tensor.values() > 0);
  }

  private static double bits(Encoding encoding) {
    return 8.0 * encoding.blockBytes() / encoding.blockValues();
  }

  private long bytes(StoredTensor tensor) {
    return expanded(tensor).isPresent() ? to.bytes(tensor.values()) : tensor.bytes().byteSize();
  }

  private static long aligned(long size) {
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  }

  /** What all tensors take. */
  long bytes() {
    return packed.tensors().values().stream().mapToLong(tensor -> aligned(bytes(tensor))).sum();
  }

  /** The expanded checkpoint, in memory that {@code room} gives; the packed one may be closed. */
  Checkpoint made(BiFunction<Long, Arena, MemorySegment> room, Consumer<String> progress) {
    var arena = Arena.ofShared();
    try {
      var memory = room.apply(Math.max(1, bytes()), arena);
      var tensors = new LinkedHashMap<String, StoredTensor>();
      long at = 0;
      for (var tensor : packed.tensors().values()) {
        long size = bytes(tensor);
        var bytes = memory.asSlice(at, size);
        at += aligned(size);
        progress.accept(
            "expanding to %s, %d of %d MiB"
                .formatted(to.name(), at >> 20, memory.byteSize() >> 20));
        tensors.put(tensor.name(), expand(tensor, bytes));
      }
      var file = new MappedFile(packed.path(), memory.asReadOnly(), Optional.empty());
      return new Checkpoint(
          packed.path(), packed.format(), packed.metadata(), tensors, List.of(file), arena);
    } catch (RuntimeException | Error e) {
      arena.close();
      throw e;
    }
  }

  private StoredTensor expand(StoredTensor tensor, MemorySegment bytes) {
    var from = expanded(tensor);
    if (from.isEmpty()) {
      bytes.copyFrom(tensor.bytes());
      return new StoredTensor(tensor.name(), tensor.type(), tensor.shape(), bytes.asReadOnly());
    }
    var values = new float[(int) Math.min(CHUNK, tensor.values())];
    for (long done = 0; done < tensor.values(); done += values.length) {
      int count = (int) Math.min(values.length, tensor.values() - done);
      from.get().decode(tensor.bytes(), from.get().bytes(done), values, 0, count);
      to.encode(values, 0, count, bytes, to.bytes(done));
    }
    return new StoredTensor(tensor.name(), to.type(), tensor.shape(), bytes.asReadOnly());
  }
}
