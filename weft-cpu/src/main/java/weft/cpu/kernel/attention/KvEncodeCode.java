package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import java.util.Arrays;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Label;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;

/**
 * A function inside a kernel that stores a run of floats, a whole number of blocks and of 16, as
 * keys and values are kept. It changes rax and the registers of its arguments.
 */
public final class KvEncodeCode {
  static final Gpr FLOATS = RBX;
  static final Gpr TO = RBP;

  /** How many floats. */
  static final Gpr COUNT = R10;

  /** Just under a half: its sum with one half is 1, and no number under one half reaches it. */
  private static final float HALF = Math.nextDown(0.5f);

  private final KernelWriter w;
  private final KvKind kind;
  private final Label entry;
  private final Vec[] x;
  private final Vec max;
  private final Vec t;

  KvEncodeCode(KernelWriter w, Registers registers, KvKind kind) {
    this.w = w;
    this.kind = kind;
    this.entry = w.label("encode");
    this.x = registers.take(4);
    this.max = registers.take().y();
    this.t = registers.take().y();
  }

  void call() {
    w.op(CALL, entry);
  }

  /** Writes the function, behind the kernel that calls it. */
  void emit() {
    w.bind(entry);
    w.note("encode: rbx = floats, rbp = where they go, r10 = how many");
    switch (kind) {
      case F32 -> loop(16, this::floats);
      case F16 -> loop(16, this::halves);
      case Q8_0 -> loop(32, this::bytes);
    }
    w.op(RET);
  }

  private void loop(int values, Runnable body) {
    var next = w.label("next");
    w.loop(next);
    body.run();
    w.op(ADD, FLOATS, imm((long) values * Float.BYTES));
    w.op(ADD, TO, imm(kind.bytes(values)));
    w.op(SUB, COUNT, imm(values));
    w.op(JG, next);
  }

  private void floats() {
    int bytes = x[0].bytes();
    for (int at = 0; at < 64; at += bytes) {
      w.op(VMOVUPS, x[0], at(FLOATS, at));
      w.op(VMOVUPS, at(TO, at), x[0]);
    }
  }

  private void halves() {
    int bytes = x[0].bytes();
    for (int at = 0; at < 64; at += bytes) {
      w.op(VMOVUPS, x[0], at(FLOATS, at));
      w.op(VCVTPS2PH, at(TO, at / 2), x[0], imm(0));
    }
  }

  /** One block; 256 bits serve every level. */
  private void bytes() {
    var copies = new float[8];
    Arrays.fill(copies, HALF);
    var halves = w.assembler().floats("half", copies);
    w.note("the largest magnitude, on the bits, where it is larger than any if it is NaN");
    w.everywhere(t, "magnitude", 0x7fffffff);
    for (int i = 0; i < 4; i++) {
      w.op(VMOVUPS, x[i].y(), at(FLOATS, 32L * i));
      w.op(VANDPS, i == 0 ? max : x[0].y(), x[i].y(), t);
      if (i > 0) w.op(VPMAXSD, max, max, x[0].y());
    }
    w.op(VEXTRACTF128, t.x(), max, imm(1));
    w.op(VPMAXSD, max.x(), max.x(), t.x());
    for (int pattern : new int[] {0x4E, 0xB1}) {
      w.op(VPSHUFD, t.x(), max.x(), imm(pattern));
      w.op(VPMAXSD, max.x(), max.x(), t.x());
    }
    w.op(VDIVSS, max.x(), max.x(), at(w.assembler().floats("127", 127)));
    w.op(VCVTPS2PH, t.x(), max.x(), imm(0));
    w.op(VMOVD, RAX.d(), t.x());
    w.op(MOV, at(TO), RAX.w());
    w.note("a block of zeros has scale zero, and its values stay zero");
    w.op(VMOVSS, t.x(), at(w.assembler().floats("least", 1e-30f)));
    w.op(VMAXSS, max.x(), t.x(), max.x());
    w.op(VMOVSS, t.x(), at(w.assembler().floats("one", 1)));
    w.op(VDIVSS, max.x(), t.x(), max.x());
    w.op(VBROADCASTSS, max, max.x());
    for (int i = 0; i < 4; i++) {
      var v = x[i].y();
      if (i == 0) w.op(VMOVUPS, v, at(FLOATS));
      w.op(VMULPS, v, v, max);
      w.note("to the nearest, halves away from zero");
      w.everywhere(t, "sign", 0x80000000);
      w.op(VANDPS, t, t, v);
      w.op(VORPS, t, t, at(halves));
      w.op(VADDPS, v, v, t);
      w.op(VCVTTPS2DQ, v, v);
    }
    w.op(VPACKSSDW, x[0].y(), x[0].y(), x[1].y());
    w.op(VPACKSSDW, x[2].y(), x[2].y(), x[3].y());
    w.op(VPACKSSWB, x[0].y(), x[0].y(), x[2].y());
    w.note("packing works within 128 bits; this brings the four-byte pieces back into order");
    w.op(VMOVDQU, t, at(w.assembler().ints("order", 0, 4, 1, 5, 2, 6, 3, 7)));
    w.op(VPERMD, x[0].y(), t, x[0].y());
    w.op(VMOVDQU, at(TO, 2), x[0].y());
  }
}
