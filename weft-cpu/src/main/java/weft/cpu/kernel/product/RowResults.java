package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;

/**
 * The results of some rows and tokens, a lane each, those of a row beside each other; and how
 * vectors of integers become such lanes.
 */
record RowResults(KernelWriter w, RowLayout layout, FewStreams frame) {
  /** The sum of each of the first vectors, in a lane of {@code to}; changes the vectors. */
  void total(Vec to, Vec[] integers, int count) {
    for (int four = 0; four < count; four += 4) {
      var a = integers[four];
      if (count - four >= 4) {
        w.op(VPHADDD, a, a, integers[four + 1]);
        w.op(VPHADDD, integers[four + 2], integers[four + 2], integers[four + 3]);
        w.op(VPHADDD, a, a, integers[four + 2]);
      } else {
        w.op(VPHADDD, a, a, count == 2 ? integers[1] : a);
        w.op(VPHADDD, a, a, a);
      }
    }
    if (count == 8) {
      w.op(VPERM2I128, to, integers[0], integers[4], imm(0x20));
      w.op(VPERM2I128, integers[0], integers[0], integers[4], imm(0x31));
      w.op(VPADDD, to, to, integers[0]);
    } else {
      w.op(VEXTRACTI128, to.x(), integers[0], imm(1));
      w.op(VPADDD, to.x(), to.x(), integers[0].x());
    }
  }

  /** The sums on the stack go where they belong. */
  void emit(int streams) {
    for (int stream = 0; stream < streams; stream++) {
      var written = w.label("written");
      frame.out(RBX, stream);
      if (layout.tokens() > 1) {
        w.op(MOV, R12, at(ARGUMENTS, MatMulArguments.TOKENS));
      }
      for (int token = 0; token < layout.tokens(); token++) {
        w.op(MOV, RAX.d(), at(RSP, 4 * (stream * layout.tokens() + token)));
        w.op(MOV, at(RBX), RAX.d());
        if (token + 1 < layout.tokens()) {
          w.op(DEC, R12);
          w.op(JE, written);
          w.op(ADD, RBX, at(ARGUMENTS, MatMulArguments.OUT_BYTES));
        }
      }
      w.bind(written);
    }
  }
}
