package weft.cpu.kernel;

import java.util.Optional;
import weft.cpu.asm.Assembler;
import weft.cpu.asm.Code;
import weft.cpu.asm.CodeMemory;
import weft.cpu.asm.Isa;
import weft.quant.Encoding;
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

  @Override
  public void close() {
    memory.close();
  }
}
