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

/** Questions to the processor, asked by code emitted for it; for the thread that opened it. */
final class Cpuid implements AutoCloseable {
  private final CodeMemory memory = CodeMemory.load(questions());
  private final Arena arena = Arena.ofConfined();
  private final EntryPoint cpuid = memory.entry("cpuid");
  private final EntryPoint xgetbv = memory.entry("xgetbv");
  private final MemorySegment out = arena.allocate(JAVA_INT, 4);

  private Cpuid() {}

  /** Throws {@link AsmException} where emitted code cannot run. */
  static Cpuid open() {
    return new Cpuid();
  }

  /** Whether the processor knows a leaf: each of the two ranges begins with its greatest. */
  boolean has(int leaf) {
    return Integer.compareUnsigned(leaf, ask(leaf & 0x80000000, 0)[0]) <= 0;
  }

  /** What EAX, EBX, ECX and EDX hold. */
  int[] ask(int leaf, int subleaf) {
    cpuid.call(out, leaf, subleaf, MemorySegment.NULL);
    return out.toArray(JAVA_INT);
  }

  /** The registers that the operating system keeps for a thread: XCR0. */
  long enabledState() {
    xgetbv.call(out, 0, 0, MemorySegment.NULL);
    return out.get(JAVA_LONG_UNALIGNED, 0);
  }

  @Override
  public void close() {
    arena.close();
    memory.close();
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
}
