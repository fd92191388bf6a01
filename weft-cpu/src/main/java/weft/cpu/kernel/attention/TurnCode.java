package weft.cpu.kernel.attention;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.*;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mask.k;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;
import static weft.cpu.kernel.emit.KernelWriter.ARGUMENTS;

import weft.cpu.asm.Gpr;
import weft.cpu.asm.Label;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;
import weft.cpu.kernel.emit.Registers;
import weft.cpu.kernel.emit.Sweep;
import weft.ir.Op;

/**
 * A function inside a kernel that copies one head and turns its first pairs: {@code FROM} to {@code
 * TO}, the turned part times {@link #turned}, the rest times {@link #rest}. It changes rax, r10,
 * r11 and rdx.
 */
public final class TurnCode {
  /** Where the head lies, and where it goes. */
  static final Gpr HEAD = RBX;

  static final Gpr TO = RBP;

  /** The row's cosines and sines. */
  static final Gpr COS = R8;

  static final Gpr SIN = R9;

  /** Where a kernel's arguments have the {@link RopeAngles}, and how many floats a head has. */
  record Places(int angles, int dim) {
    int pairs() {
      return angles + RopeAngles.PAIRS;
    }
  }

  private final KernelWriter w;
  private final Op.Pairing pairing;
  private final Places places;
  private final Label entry;
  private final Sweep pairs;
  private final Sweep neighbours;
  private final Sweep behind;
  private final Vec turned;
  private final Vec rest;
  private final Vec a;
  private final Vec b;
  private final Vec cos;
  private final Vec sin;
  private final Vec t;

  TurnCode(KernelWriter w, Registers registers, Op.Pairing pairing, Places places) {
    this.w = w;
    this.pairing = pairing;
    this.places = places;
    this.entry = w.label("turn");
    int bits = w.isa().vectorBits();
    pairs = new Sweep(w, registers, k(1), pairing == Op.Pairing.HALVES ? bits : bits / 2);
    neighbours = new Sweep(w, registers, k(2));
    behind = new Sweep(w, registers, k(3));
    turned = registers.take();
    rest = registers.take();
    a = registers.take();
    b = registers.take();
    cos = registers.take();
    sin = registers.take();
    t = registers.take();
  }

  /** What the turned part of a head is multiplied by, in every lane. */
  Vec turned() {
    return turned;
  }

  Vec rest() {
    return rest;
  }

  /** Makes the masks, once for all heads; changes rax, r10 and r11. */
  void begin() {
    w.op(MOV, R10, at(ARGUMENTS, places.pairs()));
    w.op(SHL, R10, imm(2));
    pairs.measure(R10, R11);
    w.op(ADD, R10, R10);
    neighbours.measure(R10, R11);
    w.op(NEG, R10);
    w.op(MOV, RAX, at(ARGUMENTS, places.dim));
    w.op(LEA, R10, at(R10, RAX, 4));
    behind.measure(R10, R11);
  }

  /** Finds the angles of a row. */
  void angles(Gpr row) {
    w.op(MOV, COS, at(ARGUMENTS, places.angles + RopeAngles.ROW_BYTES));
    w.op(IMUL, COS, row);
    w.op(MOV, SIN, COS);
    w.op(ADD, COS, at(ARGUMENTS, places.angles + RopeAngles.COS));
    w.op(ADD, SIN, at(ARGUMENTS, places.angles + RopeAngles.SIN));
  }

  void call() {
    w.op(CALL, entry);
  }

  /** Writes the function, behind the kernel that calls it. */
  void emit() {
    w.bind(entry);
    w.note("turn: rbx = a head, rbp = where it goes, r8 and r9 = cosines and sines");
    w.op(MOV, R10, at(ARGUMENTS, places.pairs()));
    w.op(SHL, R10, imm(2));
    switch (pairing) {
      case HALVES -> halves();
      case NEIGHBOURS -> neighbours();
    }
    w.note("what lies behind the turned pairs");
    w.op(MOV, R10, at(ARGUMENTS, places.pairs()));
    w.op(LEA, R11, at(HEAD, R10, 8));
    w.op(LEA, RDX, at(TO, R10, 8));
    w.op(ADD, R10, R10);
    w.op(NEG, R10);
    w.op(ADD, R10, at(ARGUMENTS, places.dim));
    w.op(SHL, R10, imm(2));
    behind.over(
        RAX,
        R10,
        lanes -> {
          lanes.load(a, at(R11, RAX, 1));
          w.op(VMULPS, a, a, rest);
          lanes.store(at(RDX, RAX, 1), a);
        });
    w.op(RET);
  }

  private void angles(Sweep.Lanes lanes, Vec c, Vec s) {
    lanes.load(c, at(COS, RAX, 1));
    lanes.load(s, at(SIN, RAX, 1));
  }

  private void halves() {
    w.op(LEA, R11, at(HEAD, R10, 1));
    w.op(LEA, RDX, at(TO, R10, 1));
    pairs.over(
        RAX,
        R10,
        lanes -> {
          angles(lanes, cos, sin);
          w.op(VMULPS, cos, cos, turned);
          w.op(VMULPS, sin, sin, turned);
          lanes.load(a, at(HEAD, RAX, 1));
          lanes.load(b, at(R11, RAX, 1));
          w.op(VMULPS, t, b, sin);
          w.op(VFMSUB231PS, t, a, cos);
          lanes.store(at(TO, RAX, 1), t);
          w.op(VMULPS, t, a, sin);
          w.op(VFMADD231PS, t, b, cos);
          lanes.store(at(RDX, RAX, 1), t);
        });
  }

  private void neighbours() {
    pairs.over(
        RAX,
        R10,
        lanes -> {
          var both = neighbours.like(lanes);
          angles(lanes, half(cos), half(sin));
          w.note("each angle twice; of a pair the first takes away, the second adds");
          for (var angle : new Vec[] {cos, sin}) {
            w.op(VPMOVZXDQ, angle, half(angle));
            w.op(VMOVSLDUP, angle, angle);
            w.op(VMULPS, angle, angle, turned);
          }
          w.op(VXORPS, sin, sin, signs());
          both.load(a, at(HEAD, RAX, 2));
          w.op(VPERMILPS, b, a, imm(0xB1));
          w.op(VMULPS, a, a, cos);
          w.op(VFMADD231PS, a, b, sin);
          both.store(at(TO, RAX, 2), a);
        });
  }

  private static Vec half(Vec v) {
    return new Vec(v.number(), v.bits() / 2);
  }

  private Mem signs() {
    var signs = new float[a.bytes() / Float.BYTES];
    for (int i = 0; i < signs.length; i += 2) signs[i] = -0f;
    return at(w.assembler().floats("signs", signs));
  }
}
