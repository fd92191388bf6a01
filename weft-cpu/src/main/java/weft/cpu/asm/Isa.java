package weft.cpu.asm;

import static weft.cpu.asm.CpuFeature.AMX_INT8;
import static weft.cpu.asm.CpuFeature.AMX_TILE;
import static weft.cpu.asm.CpuFeature.AVX;
import static weft.cpu.asm.CpuFeature.AVX512BW;
import static weft.cpu.asm.CpuFeature.AVX512DQ;
import static weft.cpu.asm.CpuFeature.AVX512F;
import static weft.cpu.asm.CpuFeature.AVX512VBMI;
import static weft.cpu.asm.CpuFeature.AVX512VL;
import static weft.cpu.asm.CpuFeature.AVX512_VNNI;
import static weft.cpu.asm.CpuFeature.BMI1;
import static weft.cpu.asm.CpuFeature.BMI2;
import static weft.cpu.asm.CpuFeature.F16C;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** A level of the instruction set that kernels are written for; each includes those before it. */
public enum Isa {
  AVX2(AVX, CpuFeature.AVX2, CpuFeature.FMA, F16C, BMI1, BMI2),
  AVX512(AVX512F, AVX512BW, AVX512DQ, AVX512VL),
  VNNI(AVX512_VNNI, AVX512VBMI),
  AMX(AMX_TILE, AMX_INT8);

  private final Set<CpuFeature> added;

  Isa(CpuFeature... added) {
    this.added = Set.of(added);
  }

  /** All that a processor must have for kernels of this level. */
  public Set<CpuFeature> required() {
    var required = EnumSet.noneOf(CpuFeature.class);
    for (var level : values()) {
      if (level.compareTo(this) <= 0) {
        required.addAll(level.added);
      }
    }
    return required;
  }

  public boolean includes(Isa level) {
    return compareTo(level) >= 0;
  }

  /** The bits of a vector register at this level. */
  public int vectorBits() {
    return this == AVX2 ? 256 : 512;
  }

  /** The level of this name, in the spelling of the command line. */
  public static Optional<Isa> named(String name) {
    return Arrays.stream(values()).filter(level -> level.spelling().equals(name)).findFirst();
  }

  /** The name on the command line. */
  public String spelling() {
    return name().toLowerCase(Locale.ROOT);
  }
}
