package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.SCRATCH;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Transpose;

/**
 * Lays {@link Activations} of up to 16 tokens side by side as an {@link AmxLayout} says. Where
 * there are fewer, the last one stands in for those behind it.
 *
 * @param rows sixteen registers that are free until the first weights come
 * @param spare one more
 */
record AmxPack(KernelWriter w, AmxLayout layout, Activations.Sums sums, Vec[] rows, Vec spare) {
  private static final Gpr TOKEN = RAX;
  private static final Gpr X_AT = RBX;
  private static final Gpr SCALE_AT = RBP;
  private static final Gpr SUM_AT = R8;
  private static final Gpr TO = R9;
  private static final Gpr STEPS = R10;
  private static final Gpr COLUMNS = R11;

  /** The values of a token that a register holds. */
  private static final int COLUMN = 64;

  /** From the scratch memory in rcx and the kernel's arguments; keeps rsi, rdx, rdi and rcx. */
  void emit() {
    var step = w.label("packed");
    tokens();
    places();
    w.loop(step);
    if (layout.isLong()) {
      longStep();
    } else {
      shortStep();
    }
    w.op(DEC, STEPS);
    w.op(JNE, step);
  }

  /** Where each token begins, for as long as the rows are not there yet. */
  private void tokens() {
    w.op(MOV, TOKEN, at(ARGUMENTS, MatMulArguments.X));
    w.op(MOV, RBX, at(ARGUMENTS, MatMulArguments.X_BYTES));
    w.op(MOV, R8, at(ARGUMENTS, MatMulArguments.TOKENS));
    w.op(XOR, R9.d(), R9.d());
    for (int token = 0; token < AmxLayout.TOKENS; token++) {
      w.op(MOV, at(SCRATCH, AmxLayout.POINTERS + 8 * token), TOKEN);
      w.op(DEC, R8);
      w.op(CMOVLE, RBX, R9);
      w.op(ADD, TOKEN, RBX);
    }
  }

  private void places() {
    w.op(MOV, SCALE_AT, at(ARGUMENTS, MatMulArguments.K));
    w.op(MOV, STEPS, SCALE_AT);
    w.op(SHR, STEPS, imm(Integer.numberOfTrailingZeros(layout.step())));
    w.op(ADD, SCALE_AT, imm(Activations.PADDING - 1));
    w.op(AND, SCALE_AT, imm(-Activations.PADDING));
    w.op(MOV, SUM_AT, SCALE_AT);
    w.op(SHR, SUM_AT, imm(3));
    w.op(IMUL, SUM_AT, SUM_AT, imm(sums.eighths()));
    w.op(ADD, SUM_AT, SCALE_AT);
    w.op(XOR, X_AT.d(), X_AT.d());
    w.op(LEA, TO, at(SCRATCH, AmxLayout.BLOCKS));
  }

  private void longStep() {
    var column = w.label("column");
    w.op(MOV, COLUMNS.d(), imm(layout.step() / COLUMN));
    w.loop(column);
    var columns = column();
    for (int i = 0; i < columns.length; i++) {
      w.store(at(TO, AmxLayout.LINE * i), columns[i]);
    }
    w.op(ADD, TO, imm(layout.x(COLUMN)));
    w.op(DEC, COLUMNS);
    w.op(JNE, column);
    numbers(layout.scale());
    w.op(ADD, TO, imm(layout.blockBytes() - layout.scale()));
  }

  /** Two blocks at once. */
  private void shortStep() {
    var columns = column();
    int lines = layout.shared() / 4;
    for (int i = 0; i < columns.length; i++) {
      int block = i / lines * layout.blockBytes();
      w.store(at(TO, block + AmxLayout.LINE * (i % lines)), columns[i]);
    }
    for (int block = 0; block < layout.step() / layout.shared(); block++) {
      numbers(0);
      w.op(ADD, TO, imm(layout.blockBytes()));
    }
  }

  /** The next 64 values of all tokens: four of each in each register. */
  private Vec[] column() {
    for (int token = 0; token < rows.length; token++) {
      w.op(MOV, TOKEN, at(SCRATCH, AmxLayout.POINTERS + 8 * token));
      w.load(rows[token], at(TOKEN, X_AT, 1));
    }
    w.op(ADD, X_AT, imm(COLUMN));
    return Transpose.emit(w, rows, spare);
  }

  /**
   * The scale and the sums of a block.
   *
   * @param passed bytes of the block that are before {@code TO}
   */
  private void numbers(int passed) {
    for (int token = 0; token < AmxLayout.TOKENS; token++) {
      w.op(MOV, TOKEN, at(SCRATCH, AmxLayout.POINTERS + 8 * token));
      w.op(MOV, COLUMNS.d(), at(TOKEN, SCALE_AT, 1));
      w.op(MOV, at(TO, layout.scale() - passed + 4 * token), COLUMNS.d());
      for (int i = 0; i < layout.sums(); i++) {
        w.op(MOV, COLUMNS.d(), at(TOKEN, SUM_AT, 1, 4 * i));
        w.op(MOV, at(TO, layout.sum(i) - passed + 4 * token), COLUMNS.d());
      }
    }
    w.op(ADD, SCALE_AT, imm(layout.shared() / 8));
    w.op(ADD, SUM_AT, imm(layout.shared() / sums.valuesPerByte()));
  }
}
