package weft.cpu.kernel.emit;

import static weft.cpu.asm.BaseOp.*;
import static weft.cpu.asm.Gpr.RAX;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.VectorOp.*;

import java.util.Arrays;
import java.util.function.Consumer;
import weft.cpu.asm.Gpr;
import weft.cpu.asm.Mask;
import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;

/**
 * Code that goes over a run of floats a vector at a time. What lies behind the last whole vector is
 * read and written under a mask, so runs have any length and nothing behind them is touched.
 *
 * <p>The mask is a mask register of AVX-512, and a vector of AVX2.
 */
public final class Sweep {
  private final KernelWriter w;
  private final int bits;
  private final Mask mask;
  private final Vec maskVector;
  private final Lanes whole = new Lanes(false);
  private final Lanes part = new Lanes(true);

  /** A sweep by the widest vectors; no other may have its mask register. */
  public Sweep(KernelWriter w, Registers registers, Mask mask) {
    this(w, registers, mask, w.isa().vectorBits());
  }

  public Sweep(KernelWriter w, Registers registers, Mask mask, int bits) {
    this.w = w;
    this.bits = bits;
    this.mask = mask;
    this.maskVector = isMasked() ? new Vec(0, bits) : new Vec(registers.take().number(), bits);
  }

  private boolean isMasked() {
    return w.isa().vectorBits() == 512;
  }

  public int vectorBytes() {
    return bits / Byte.SIZE;
  }

  /** How the floats in hand are reached: all lanes of a vector, or those before the end. */
  public final class Lanes {
    private final boolean isPart;

    private Lanes(boolean isPart) {
      this.isPart = isPart;
    }

    boolean isPart() {
      return isPart;
    }

    /** Lanes behind the end become zero. */
    public void load(Vec to, Mem from) {
      if (!isPart) w.op(VMOVUPS, to, from);
      else if (isMasked()) w.op(VMOVUPS, to.zeroing(mask), from);
      else w.op(VMASKMOVPS, to, maskVector, from);
    }

    /** Makes lanes behind the end zero. */
    public void clear(Vec v) {
      if (!isPart) return;
      if (isMasked()) w.op(VMOVAPS, v.zeroing(mask), v);
      else w.op(VANDPS, v, v, maskVector);
    }

    public void store(Mem to, Vec from) {
      if (!isPart) w.op(VMOVUPS, to, from);
      else if (isMasked()) w.op(VMOVUPS, to.merging(mask), from);
      else w.op(VMASKMOVPS, to, maskVector, from);
    }
  }

  /** All lanes of a vector. */
  public Lanes whole() {
    return whole;
  }

  /** The lanes of the last, shorter vector. */
  public Lanes part() {
    return part;
  }

  /** The lanes of the same part of a run that another sweep of another width goes over. */
  public Lanes like(Lanes other) {
    return other.isPart ? part : whole;
  }

  /** Makes the mask for runs of {@code bytes}; changes rax and {@code t}. */
  public void measure(Gpr bytes, Gpr t) {
    w.op(MOV, t, bytes);
    if (isMasked()) {
      w.op(SHR, t, imm(2));
      w.op(AND, t, imm(vectorBytes() / Float.BYTES - 1));
      w.op(MOV, RAX.d(), imm(0xffff));
      w.op(BZHI, RAX.d(), RAX.d(), t.d());
      w.op(KMOVW, mask, RAX.d());
    } else {
      int lanes = vectorBytes() / Float.BYTES;
      var ramp = new int[2 * lanes];
      Arrays.fill(ramp, 0, lanes, -1);
      w.op(AND, t, imm(vectorBytes() - 1));
      w.op(NEG, t);
      w.op(LEA, RAX, at(w.assembler().ints("ones then zeros " + lanes, ramp)));
      w.op(VMOVDQU, maskVector, at(RAX, t, 1, vectorBytes()));
    }
  }

  /**
   * Runs the body for each vector from 0 to {@code end} bytes, which may be none: {@code at} is how
   * many bytes into the run it is. The mask must be that of a run of this length.
   */
  public void over(Gpr at, Gpr end, Consumer<Lanes> body) {
    var loop = w.label("whole");
    var rest = w.label("rest");
    var done = w.label("swept");
    w.op(XOR, at.d(), at.d());
    w.op(SUB, end, imm(vectorBytes()));
    w.op(JL, rest);
    w.loop(loop);
    body.accept(whole);
    w.op(ADD, at, imm(vectorBytes()));
    w.op(CMP, at, end);
    w.op(JLE, loop);
    w.bind(rest);
    w.op(ADD, end, imm(vectorBytes()));
    w.op(CMP, at, end);
    w.op(JGE, done);
    body.accept(part);
    w.bind(done);
  }
}
