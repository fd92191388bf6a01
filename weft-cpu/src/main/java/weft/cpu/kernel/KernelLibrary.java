package weft.cpu.kernel;

import java.util.Optional;
import weft.cpu.asm.Assembler;
import weft.cpu.asm.Code;
import weft.cpu.asm.CodeMemory;
import weft.cpu.asm.Isa;
import weft.quant.Encoding;
import weft.quant.F16;
import weft.quant.F32;
import weft.quant.Q4_0;
import weft.quant.Q8_0;

/** Owns the emitted kernels of one instruction set level, and must be closed after its users. */
public final class KernelLibrary implements AutoCloseable {
  private final CodeMemory memory;
  private final Isa isa;

  private KernelLibrary(CodeMemory memory, Isa isa) {
    this.memory = memory;
    this.isa = isa;
  }

  /** Emits and loads all kernels for a level that this machine has. */
  public static KernelLibrary open(Isa isa) {
    var assembler = new Assembler();
    var w = new KernelWriter(assembler, isa);
    Quantize.emit(w);
    ShortBlockMatVec.emit(w, "matvec.Q8_0", Q8_0Code::new);
    ShortBlockMatVec.emit(w, "matvec.Q4_0", Q4_0Code::new);
    if (isa.includes(Isa.AVX512)) {
      for (var kind : Attend.Kind.values()) Attend.emit(w, kind);
    }
    return new KernelLibrary(CodeMemory.load(assembler.assemble()), isa);
  }

  public Isa isa() {
    return isa;
  }

  /** What was emitted, for reports. */
  public Code code() {
    return memory.code();
  }

  /** Floats to {@link Activations}: arguments {@link QuantizeArguments}, range over rows. */
  public Kernel quantize() {
    return new Kernel(memory.entry(Quantize.NAME));
  }

  /** One activation row against packed rows: {@link MatMulArguments}, range over weight rows. */
  public Optional<Kernel> matVec(Encoding encoding) {
    return switch (encoding) {
      case Q8_0 _, Q4_0 _ -> Optional.of(new Kernel(memory.entry("matvec." + encoding.name())));
      default -> Optional.empty();
    };
  }

  /** A row's attention over keys and values stored so: {@link AttendArguments}, no range. */
  public Optional<Kernel> attend(Encoding stored) {
    if (!isa.includes(Isa.AVX512)) return Optional.empty();
    return switch (stored) {
      case F16 _ -> Optional.of(new Kernel(memory.entry(Attend.name(Attend.Kind.F16))));
      case F32 _ -> Optional.of(new Kernel(memory.entry(Attend.name(Attend.Kind.F32))));
      default -> Optional.empty();
    };
  }

  @Override
  public void close() {
    memory.close();
  }
}
