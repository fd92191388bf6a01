package weft.cpu.residency;

import java.lang.foreign.MemorySegment;
import java.util.List;
import weft.backend.TensorReader;

/** Memory for one expert; what is read of it is known to who holds the cache's lock. */
final class ExpertSlot {
  private final MemorySegment memory;
  private final MemorySegment[] parts;
  private List<MemorySegment> sources = List.of();
  private int missing;

  ExpertSlot(MemorySegment memory, int parts) {
    this.memory = memory;
    this.parts = new MemorySegment[parts];
  }

  /** The bytes that a slot needs for an expert of these parts. */
  static long bytes(List<MemorySegment> parts, TensorReader reader) {
    return parts.stream().mapToLong(part -> reader.room(part.byteSize())).sum();
  }

  /** Begins with another expert. */
  void expect(List<MemorySegment> mapped) {
    sources = mapped;
    missing = mapped.size();
  }

  int parts() {
    return sources.size();
  }

  /** Reads one part; the lock must not be held, for that takes a while. Gives its bytes. */
  long read(int part, TensorReader reader) {
    long at = 0;
    for (int i = 0; i < part; i++) at += reader.room(sources.get(i).byteSize());
    long bytes = sources.get(part).byteSize();
    parts[part] = reader.read(sources.get(part), memory.asSlice(at, reader.room(bytes)));
    return bytes;
  }

  /** Some parts were read, or never will be; whether those were the last. */
  boolean arrived(int count) {
    missing -= count;
    return missing == 0;
  }

  boolean isComplete() {
    return missing == 0;
  }

  MemorySegment part(int index) {
    return parts[index];
  }
}
