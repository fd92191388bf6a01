package weft.cpu.asm;

/** The cache nearest to a core, which kernels choose their walks by. */
public final class NearCache {
  /** Where Intel describes caches, one a subleaf; and where AMD does, in the same words. */
  private static final int[] LEAVES = {4, 0x8000001D};

  /** No processor has more caches; a list without an end is none of theirs. */
  private static final int MOST_CACHES = 8;

  private static final int DATA = 1;
  private static final int UNIFIED = 3;

  private static final long BYTES = ask();

  private NearCache() {}

  /** How much data the core's nearest cache holds; zero where the processor does not say. */
  public static long bytes() {
    return BYTES;
  }

  private static long ask() {
    try (var processor = Cpuid.open()) {
      for (int leaf : LEAVES) {
        if (!processor.has(leaf)) continue;
        for (int i = 0; i < MOST_CACHES; i++) {
          int[] cache = processor.ask(leaf, i);
          if (isNear(cache[0])) return bytes(cache[1], cache[2]);
        }
      }
      return 0;
    } catch (AsmException _) {
      return 0; // kernels that would ask are not emitted here
    }
  }

  private static boolean isNear(int eax) {
    int type = eax & 0x1F;
    int level = eax >> 5 & 7;
    return level == 1 && (type == DATA || type == UNIFIED);
  }

  /** Ways, partitions, the bytes of a line and sets, each less one. */
  private static long bytes(int ebx, int ecx) {
    long ways = (ebx >>> 22) + 1;
    long partitions = (ebx >>> 12 & 0x3FF) + 1;
    long line = (ebx & 0xFFF) + 1;
    return ways * partitions * line * (Integer.toUnsignedLong(ecx) + 1);
  }
}
