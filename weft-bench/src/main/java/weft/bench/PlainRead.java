package weft.bench;

import static weft.cpu.asm.BaseOp.ADD;
import static weft.cpu.asm.BaseOp.CMP;
import static weft.cpu.asm.BaseOp.JB;
import static weft.cpu.asm.BaseOp.LEA;
import static weft.cpu.asm.BaseOp.RET;
import static weft.cpu.asm.BaseOp.SHR;
import static weft.cpu.asm.BaseOp.XOR;
import static weft.cpu.asm.Gpr.R10;
import static weft.cpu.asm.Gpr.R8;
import static weft.cpu.asm.Gpr.R9;
import static weft.cpu.asm.Gpr.RAX;
import static weft.cpu.asm.Gpr.RDI;
import static weft.cpu.asm.Gpr.RSI;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.Vec.ymm;
import static weft.cpu.asm.VectorOp.VPXOR;
import static weft.cpu.asm.VectorOp.VZEROUPPER;

import java.lang.foreign.MemorySegment;
import weft.cpu.asm.Assembler;
import weft.cpu.asm.CodeMemory;
import weft.cpu.asm.EntryPoint;
import weft.cpu.asm.Gpr;

/** Reads memory as fast as a core can, in four streams; owns the code that does it. */
final class PlainRead implements AutoCloseable {
  private final CodeMemory memory;
  private final EntryPoint read;

  PlainRead() {
    var a = new Assembler();
    var loop = a.label("loop");
    a.entry("read"); // (bytes at rdi, count in rsi: a multiple of 512)
    a.op(SHR, RSI, imm(2));
    a.op(LEA, R8, at(RDI, RSI, 1));
    a.op(LEA, R9, at(R8, RSI, 1));
    a.op(LEA, R10, at(R9, RSI, 1));
    a.op(XOR, RAX.d(), RAX.d());
    a.bind(loop);
    var streams = new Gpr[] {RDI, R8, R9, R10};
    for (int i = 0; i < streams.length; i++) {
      for (int line = 0; line < 128; line += 32) {
        a.op(VPXOR, ymm(i), ymm(i), at(streams[i], RAX, 1, line));
      }
    }
    a.op(ADD, RAX, imm(128));
    a.op(CMP, RAX, RSI);
    a.op(JB, loop);
    a.op(VZEROUPPER);
    a.op(RET);
    memory = CodeMemory.load(a.assemble());
    read = memory.entry("read");
  }

  void run(MemorySegment bytes, long count) {
    read.call(bytes, count / 512 * 512, 0, MemorySegment.NULL);
  }

  @Override
  public void close() {
    memory.close();
  }
}
