package weft.cuda.ptx;

import weft.cuda.ptx.Reg.B16;
import weft.cuda.ptx.Reg.B32;
import weft.cuda.ptx.Reg.B64;
import weft.cuda.ptx.Reg.F32;
import weft.cuda.ptx.Reg.F64;
import weft.cuda.ptx.Reg.Pred;

/**
 * What all families of instructions write with: an instruction's line, and the register that its
 * result goes to.
 */
sealed interface Code
    permits IntegerCode,
        RealCode,
        ConvertCode,
        MemoryCode,
        WarpCode,
        TensorCode,
        OrderCode,
        HopperCode {
  /** One instruction, as the manual of PTX spells it. */
  void op(String mnemonic, Operand... operands);

  Pred pred();

  B16 b16();

  B32 b32();

  B64 b64();

  F32 f32();

  F64 f64();
}
