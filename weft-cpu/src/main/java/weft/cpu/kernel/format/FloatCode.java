package weft.cpu.kernel.format;

import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.VectorOp.VCVTPH2PS;
import static weft.cpu.asm.VectorOp.VMOVSS;
import static weft.cpu.asm.VectorOp.VMOVUPS;
import static weft.cpu.asm.VectorOp.VPINSRW;
import static weft.cpu.asm.VectorOp.VPMOVZXWD;
import static weft.cpu.asm.VectorOp.VPSLLD;

import weft.cpu.asm.Mem;
import weft.cpu.asm.Vec;
import weft.cpu.kernel.emit.KernelWriter;

/** The formats of one number after another, as code that makes them floats. */
public enum FloatCode {
  F32(4) {
    @Override
    public void load(KernelWriter w, Vec to, Mem from) {
      w.op(VMOVUPS, to, from);
    }

    @Override
    public void loadOne(KernelWriter w, Vec to, Mem from) {
      w.op(VMOVSS, to.x(), from);
    }
  },
  F16(2) {
    @Override
    public void load(KernelWriter w, Vec to, Mem from) {
      w.op(VCVTPH2PS, to, from);
    }

    @Override
    public void loadOne(KernelWriter w, Vec to, Mem from) {
      word(w, to, from);
      w.op(VCVTPH2PS, to.x(), to.x());
    }
  },
  BF16(2) {
    @Override
    public void load(KernelWriter w, Vec to, Mem from) {
      w.op(VPMOVZXWD, to, from);
      w.op(VPSLLD, to, to, imm(16));
    }

    @Override
    public void loadOne(KernelWriter w, Vec to, Mem from) {
      word(w, to, from);
      w.op(VPSLLD, to.x(), to.x(), imm(16));
    }
  };

  private final int bytes;

  FloatCode(int bytes) {
    this.bytes = bytes;
  }

  public int bytes() {
    return bytes;
  }

  /** A register full of floats. */
  public abstract void load(KernelWriter w, Vec to, Mem from);

  /** One float in the lowest lane and zeros above; nothing behind it is read. */
  public abstract void loadOne(KernelWriter w, Vec to, Mem from);

  private static void word(KernelWriter w, Vec to, Mem from) {
    w.zero(to);
    w.op(VPINSRW, to.x(), to.x(), from, imm(0));
  }
}
