package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import java.util.List;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Mem;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;

/**
 * The frame of a kernel that meets a few tokens: as in {@link RowStreams} the rows of a share are
 * cut into runs that are read side by side, and what does not divide comes last, a row at a time.
 *
 * <p>The runs are as long as each other, so four of them are reached from one pointer.
 */
public final class FewStreams {
  /** What the code of the rows and of their results may use freely. */
  static final List<Gpr> FREE = List.of(RAX, RBX, RBP, R12, R13);

  private static final Gpr STREAM = R8;
  private static final Gpr STREAM_4 = R9;
  private static final Gpr APART = R10;
  private static final Gpr APART_3 = R11;
  private static final Gpr OUT = R14;
  private static final Gpr OUT_APART = RDX;
  private static final Gpr TURNS = R15;
  private static final Gpr REST = RSI;

  private final KernelWriter w;
  private final int streams;

  /**
   * @param streams rows in flight, up to eight
   */
  FewStreams(KernelWriter w, int streams) {
    this.w = w;
    this.streams = streams;
  }

  /** Where a stream reads. */
  Place place(int stream) {
    var base = stream < 4 ? STREAM : STREAM_4;
    return switch (stream % 4) {
      case 0 -> Place.of(base);
      case 1 -> Place.of(base, APART, 1);
      case 2 -> Place.of(base, APART, 2);
      default -> Place.of(base, APART_3, 1);
    };
  }

  /** All streams read on this much further. */
  void advance(int bytes) {
    w.op(ADD, STREAM, imm(bytes));
    if (streams > 4) {
      w.op(ADD, STREAM_4, imm(bytes));
    }
  }

  /** All streams read their row once more. */
  void back() {
    w.op(SUB, STREAM, at(ARGUMENTS, MatMulArguments.ROW_BYTES));
    if (streams > 4) {
      w.op(SUB, STREAM_4, at(ARGUMENTS, MatMulArguments.ROW_BYTES));
    }
  }

  /** Moves each token's result of a stream, floats one after the other, to its own place. */
  void scatter(Mem results, int stream) {
    var next = w.label("result");
    out(RBX, stream);
    w.op(LEA, RBP, results);
    w.op(MOV, R12, at(ARGUMENTS, MatMulArguments.TOKENS));
    w.bind(next);
    w.op(MOV, RAX.d(), at(RBP));
    w.op(MOV, at(RBX), RAX.d());
    w.op(ADD, RBP, imm(4));
    w.op(ADD, RBX, at(ARGUMENTS, MatMulArguments.OUT_BYTES));
    w.op(DEC, R12);
    w.op(JNE, next);
  }

  /** Leaves in {@code to} where the first token's result of a stream goes. */
  void out(Gpr to, int stream) {
    w.op(IMUL, to, OUT_APART, imm(stream));
    w.op(ADD, to, OUT);
  }

  /**
   * Emits the loops.
   *
   * @param begin what comes before them, if there are rows; it keeps rsi, rdx, rdi and rcx
   * @param rows multiplies, and leaves the streams behind the rows
   * @param results writes what rows made
   */
  void emit(Runnable begin, StreamLoop.Rows rows, StreamLoop.Rows results) {
    var done = w.label("done");
    w.op(CMP, FROM, TO);
    w.op(JGE, done);
    begin.run();
    w.op(MOV, TURNS, TO);
    w.op(SUB, TURNS, FROM);
    w.op(MOV, OUT, at(ARGUMENTS, MatMulArguments.OUT));
    w.op(LEA, OUT, at(OUT, FROM, 4));
    w.op(MOV, APART, at(ARGUMENTS, MatMulArguments.ROW_BYTES));
    w.op(IMUL, FROM, APART);
    w.op(MOV, STREAM, at(ARGUMENTS, MatMulArguments.WEIGHTS));
    w.op(ADD, STREAM, FROM);

    w.note("a turn takes a row of each stream; the remainder is left for the end");
    w.op(MOV, RAX, TURNS);
    w.op(XOR, RDX.d(), RDX.d());
    w.op(MOV, REST.d(), imm(streams));
    w.op(DIV, REST);
    w.op(MOV, TURNS, RAX);
    w.op(MOV, REST, RDX);
    w.op(IMUL, APART, TURNS);
    w.op(LEA, APART_3, at(APART, APART, 2));
    w.op(LEA, STREAM_4, at(STREAM, APART, 4));
    w.op(IMUL, OUT_APART, TURNS, imm(4));
    new StreamLoop(w, TURNS, REST, OUT)
        .emit(
            streams,
            rows,
            results,
            () -> {
              w.op(LEA, STREAM, place(streams - 1).at(0));
              out(RAX, streams - 1);
              w.op(MOV, OUT, RAX);
            },
            done);
  }
}
