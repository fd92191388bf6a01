package weft.cpu.asm;

/** What an instruction works on, as the instruction's line writes it. */
public sealed interface Operand permits Gpr, Vec, Tmm, Mask, Masked, Mem, Imm, Label, Rounding {}
