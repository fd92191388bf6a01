package weft.cpu.asm;

/** The caches of a core, which kernels choose their walks by. */
public enum CoreCache {
  NEAREST(1),
  SECOND(2);

  /** Where Intel describes caches, one a subleaf; and where AMD does, in the same words. */
  private static final int INTELS = 4;

  private static final int AMDS = 0x8000001D;

  /** No processor has more caches; a list without an end is none of theirs. */
  private static final int MOST_CACHES = 8;

  private static final int DATA = 1;
  private static final int UNIFIED = 3;

  private final int level;
  private final long bytes;

  CoreCache(int level) {
    this.level = level;
    this.bytes = ask();
  }

  /** How much data it holds; zero where the processor does not say. */
  public long bytes() {
    return bytes;
  }

  private long ask() {
    try (var processor = Cpuid.open()) {
      for (int leaf : new int[] {INTELS, AMDS}) {
        if (!processor.has(leaf)) continue;
        for (int i = 0; i < MOST_CACHES; i++) {
          int[] cache = processor.ask(leaf, i);
          if (isThis(cache[0])) return bytes(cache[1], cache[2]);
        }
      }
      return 0;
    } catch (AsmException _) {
      return 0; // kernels that would ask are not emitted here
    }
  }

  private boolean isThis(int eax) {
    int type = eax & 0x1F;
    return (eax >> 5 & 7) == level && (type == DATA || type == UNIFIED);
  }

  /** Ways, partitions, the bytes of a line and sets, each less one. */
  private static long bytes(int ebx, int ecx) {
    long ways = (ebx >>> 22) + 1;
    long partitions = (ebx >>> 12 & 0x3FF) + 1;
    long line = (ebx & 0xFFF) + 1;
    return ways * partitions * line * (Integer.toUnsignedLong(ecx) + 1);
  }
}
