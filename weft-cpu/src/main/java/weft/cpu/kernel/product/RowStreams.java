package weft.cpu.kernel.product;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.VMOVSS;
import static weft.cpu.asm.VectorOp.VPEXTRD;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;
import static weft.cpu.kernel.emit.KernelWriter.FROM;
import static weft.cpu.kernel.emit.KernelWriter.TO;

import java.util.List;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Place;

/**
 * The frame of a matrix-vector kernel, for one activation row or two: the rows of a share are cut
 * into four runs, and one row of each run is in flight.
 *
 * <p>Four runs far apart are four streams that the prefetchers follow from end to end; four
 * neighbouring rows would be streams of one row's length. On a Zen 4 core the first reads 25 GB/s
 * and the second 11. Rows that do not divide by four come last, one at a time.
 */
public final class RowStreams {
  static final int STREAMS = 4;

  /** Where each stream reads; the body of a row leaves them at the row's end. */
  static final List<Gpr> POINTERS = List.of(R8, R9, R10, R11);

  /** What the body of a row may use freely. */
  static final List<Gpr> FREE = List.of(RAX, RBX, RBP, RCX, RDX, RSI);

  private static final Gpr OUT = R12;
  private static final Gpr OUT_STEP = R13;
  private static final Gpr TURNS = R14;
  private static final Gpr REST = R15;

  private static final int AHEAD = 1536;

  /**
   * Asks for the lines that a stream will read after {@link #AHEAD} bytes more, which the
   * processor's own prefetchers lose at the end of each page. On two Zen 4 cores this took Q6_K
   * from 82 to 95% of a plain read and Q4_K from 73 to 78; formats of short blocks, that ask for
   * some lines twice, lost a tenth, and do not.
   */
  static void prefetch(KernelWriter w, Place place, int bytes) {
    for (int line = 0; line < bytes; line += 64) {
      w.op(PREFETCHT0, place.at(AHEAD + line));
    }
  }

  private final KernelWriter w;
  private final Vec[] results;

  /**
   * @param results where the code of the rows leaves those of each activation row, a lane a stream
   */
  RowStreams(KernelWriter w, Vec... results) {
    this.w = w;
    this.results = results;
  }

  /** {@code rows} leaves the result of one row in each of some streams. */
  void emit(StreamLoop.Rows rows) {
    var done = w.label("done");
    w.op(MOV, TURNS, TO);
    w.op(SUB, TURNS, FROM);
    w.op(JLE, done);
    w.op(MOV, OUT, at(ARGUMENTS, MatMulArguments.OUT));
    w.op(LEA, OUT, at(OUT, FROM, 4));
    w.op(MOV, RAX, at(ARGUMENTS, MatMulArguments.ROW_BYTES));
    w.op(IMUL, FROM, RAX);
    w.op(MOV, R8, at(ARGUMENTS, MatMulArguments.WEIGHTS));
    w.op(ADD, R8, FROM);
    w.op(MOV, REST, TURNS);
    w.op(AND, REST, imm(STREAMS - 1));
    w.op(SHR, TURNS, imm(2));
    w.op(IMUL, RAX, TURNS);
    for (int i = 1; i < STREAMS; i++) {
      w.op(LEA, POINTERS.get(i), at(POINTERS.get(i - 1), RAX, 1));
    }
    w.op(LEA, OUT_STEP, at(TURNS, TURNS, 1));
    w.op(ADD, OUT_STEP, OUT_STEP);
    new StreamLoop(w, TURNS, REST, OUT)
        .emit(
            STREAMS,
            rows,
            this::results,
            () -> {
              w.op(LEA, RAX, at(OUT_STEP, OUT_STEP, 2));
              w.op(ADD, OUT, RAX);
              w.op(MOV, R8, R11);
            },
            done);
  }

  private void results(int streams) {
    if (streams == STREAMS) {
      w.op(LEA, RAX, at(OUT_STEP, OUT_STEP, 2));
    }
    results(streams, results[0].x(), OUT);
    if (results.length == 2) {
      w.op(MOV, RBX, at(ARGUMENTS, MatMulArguments.OUT_BYTES));
      w.op(ADD, RBX, OUT);
      results(streams, results[1].x(), RBX);
    }
  }

  private void results(int streams, Vec of, Gpr to) {
    w.op(VMOVSS, at(to), of);
    if (streams == STREAMS) {
      w.op(VPEXTRD, at(to, OUT_STEP, 1), of, imm(1));
      w.op(VPEXTRD, at(to, OUT_STEP, 2), of, imm(2));
      w.op(VPEXTRD, at(to, RAX, 1), of, imm(3));
    }
  }
}
