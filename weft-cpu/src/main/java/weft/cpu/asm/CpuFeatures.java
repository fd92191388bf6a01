package weft.cpu.asm;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG_UNALIGNED;
import static weft.cpu.asm.BaseOp.CPUID;
import static weft.cpu.asm.BaseOp.MOV;
import static weft.cpu.asm.BaseOp.POP;
import static weft.cpu.asm.BaseOp.PUSH;
import static weft.cpu.asm.BaseOp.RET;
import static weft.cpu.asm.BaseOp.XGETBV;
import static weft.cpu.asm.BaseOp.XOR;
import static weft.cpu.asm.Gpr.RAX;
import static weft.cpu.asm.Gpr.RBX;
import static weft.cpu.asm.Gpr.RCX;
import static weft.cpu.asm.Gpr.RDI;
import static weft.cpu.asm.Gpr.RDX;
import static weft.cpu.asm.Gpr.RSI;
import static weft.cpu.asm.Mem.at;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What this processor and its operating system offer, asked of CPUID by code emitted for it. */
public record CpuFeatures(String brand, Set<CpuFeature> present) {
  private static final int BRAND_LEAF = 0x80000002;
  private static final int OSXSAVE = 1 << 27;

  public CpuFeatures {
    present = Set.copyOf(present);
  }

  /** Asks the processor; throws {@link AsmException} where emitted code cannot run. */
  public static CpuFeatures detect() {
    try (var memory = CodeMemory.load(questions());
        var arena = Arena.ofConfined()) {
      return new Probe(memory, arena.allocate(JAVA_INT, 4)).features();
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

  private static Code questions() {
    var a = new Assembler();
    a.entry("cpuid"); // (int[4] out, leaf, subleaf)
    a.op(PUSH, RBX);
    a.op(MOV, RAX.d(), RSI.d());
    a.op(MOV, RCX.d(), RDX.d());
    a.op(CPUID);
    a.op(MOV, at(RDI), RAX.d());
    a.op(MOV, at(RDI, 4), RBX.d());
    a.op(MOV, at(RDI, 8), RCX.d());
    a.op(MOV, at(RDI, 12), RDX.d());
    a.op(POP, RBX);
    a.op(RET);

    a.entry("xgetbv"); // (long[1] out): XCR0
    a.op(XOR, RCX.d(), RCX.d());
    a.op(XGETBV);
    a.op(MOV, at(RDI), RAX.d());
    a.op(MOV, at(RDI, 4), RDX.d());
    a.op(RET);
    return a.assemble();
  }

  /** One round of questions. */
  private static final class Probe {
    private final EntryPoint cpuid;
    private final EntryPoint xgetbv;
    private final MemorySegment out;

    Probe(CodeMemory memory, MemorySegment out) {
      cpuid = memory.entry("cpuid");
      xgetbv = memory.entry("xgetbv");
      this.out = out;
    }

    CpuFeatures features() {
      int highest = ask(0, 0)[0];
      long state = (ask(1, 0)[2] & OSXSAVE) == 0 ? 0 : enabledState();
      var present = EnumSet.noneOf(CpuFeature.class);
      for (var feature : CpuFeature.values()) {
        if (feature.leaf() <= highest
            && feature.isIn(ask(feature.leaf(), feature.subleaf()), state)) {
          present.add(feature);
        }
      }
      if (present.contains(CpuFeature.AMX_TILE) && !Libc.open().allowsTiles()) {
        present.removeAll(CpuFeature.OF_TILES);
      }
      return new CpuFeatures(brand(), present);
    }

    private String brand() {
      if (Integer.compareUnsigned(ask(0x80000000, 0)[0], BRAND_LEAF + 2) < 0) {
        return "an unnamed processor";
      }
      var text = new byte[48];
      for (int i = 0; i < 3; i++) {
        ask(BRAND_LEAF + i, 0);
        MemorySegment.copy(out, 0, MemorySegment.ofArray(text), 16L * i, 16);
      }
      return new String(text, StandardCharsets.US_ASCII).replace("\0", "").strip();
    }

    private int[] ask(int leaf, int subleaf) {
      cpuid.call(out, leaf, subleaf, MemorySegment.NULL);
      return out.toArray(JAVA_INT);
    }

    private long enabledState() {
      xgetbv.call(out, 0, 0, MemorySegment.NULL);
      return out.get(JAVA_LONG_UNALIGNED, 0);
    }
  }
}
