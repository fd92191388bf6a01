package weft.cpu.asm;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What this processor and its operating system offer, asked of {@link Cpuid}. */
public record CpuFeatures(String brand, Set<CpuFeature> present) {
  private static final int BRAND_LEAF = 0x80000002;
  private static final int OSXSAVE = 1 << 27;

  public CpuFeatures {
    present = Set.copyOf(present);
  }

  /** Asks the processor; throws {@link AsmException} where emitted code cannot run. */
  public static CpuFeatures detect() {
    try (var processor = Cpuid.open()) {
      return detect(processor);
    }
  }

  /** The levels that run here, the lowest first. */
  public List<Isa> levels() {
    return Arrays.stream(Isa.values()).filter(l -> present.containsAll(l.required())).toList();
  }

  /** The highest level that runs here, or nothing where not even AVX2 does. */
  public Optional<Isa> best() {
    var levels = levels();
    return levels.isEmpty() ? Optional.empty() : Optional.of(levels.getLast());
  }

  /** The level asked for, where it runs here. */
  public Isa require(Isa level) {
    var missing = EnumSet.noneOf(CpuFeature.class);
    missing.addAll(level.required());
    missing.removeAll(present);
    if (!missing.isEmpty()) {
      throw new AsmException(
          level.spelling()
              + " kernels need "
              + missing
              + ", which "
              + brand
              + " does not offer; it runs "
              + (levels().isEmpty() ? "none of them" : levels().toString()));
    }
    return level;
  }

  private static CpuFeatures detect(Cpuid processor) {
    long state = (processor.ask(1, 0)[2] & OSXSAVE) == 0 ? 0 : processor.enabledState();
    var present = EnumSet.noneOf(CpuFeature.class);
    for (var feature : CpuFeature.values()) {
      if (processor.has(feature.leaf())
          && feature.isIn(processor.ask(feature.leaf(), feature.subleaf()), state)) {
        present.add(feature);
      }
    }
    if (present.contains(CpuFeature.AMX_TILE) && !Libc.open().allowsTiles()) {
      present.removeAll(CpuFeature.OF_TILES);
    }
    return new CpuFeatures(brand(processor), present);
  }

  private static String brand(Cpuid processor) {
    if (!processor.has(BRAND_LEAF + 2)) {
      return "an unnamed processor";
    }
    var text = ByteBuffer.allocate(48).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < 3; i++) {
      for (int word : processor.ask(BRAND_LEAF + i, 0)) text.putInt(word);
    }
    return new String(text.array(), StandardCharsets.US_ASCII).replace("\0", "").strip();
  }
}
