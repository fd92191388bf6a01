package weft.cpu.asm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static weft.cpu.asm.BaseOp.ADD;
import static weft.cpu.asm.BaseOp.CALL;
import static weft.cpu.asm.BaseOp.DEC;
import static weft.cpu.asm.BaseOp.JMP;
import static weft.cpu.asm.BaseOp.JNE;
import static weft.cpu.asm.BaseOp.LEA;
import static weft.cpu.asm.BaseOp.LOCK_INC;
import static weft.cpu.asm.BaseOp.MOV;
import static weft.cpu.asm.BaseOp.MOVZX;
import static weft.cpu.asm.BaseOp.NOP;
import static weft.cpu.asm.BaseOp.RET;
import static weft.cpu.asm.Gpr.RAX;
import static weft.cpu.asm.Gpr.RCX;
import static weft.cpu.asm.Gpr.RDI;
import static weft.cpu.asm.Gpr.RSI;
import static weft.cpu.asm.Gpr.RSP;
import static weft.cpu.asm.Imm.imm;
import static weft.cpu.asm.Mask.k;
import static weft.cpu.asm.Mem.at;
import static weft.cpu.asm.Vec.xmm;
import static weft.cpu.asm.Vec.ymm;
import static weft.cpu.asm.Vec.zmm;
import static weft.cpu.asm.VectorOp.VADDPS;
import static weft.cpu.asm.VectorOp.VCMPLTPS;
import static weft.cpu.asm.VectorOp.VMOVUPS;
import static weft.cpu.asm.VectorOp.VPDPBUSD;
import static weft.cpu.asm.VectorOp.VPXOR;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class AssemblerTest {
  private final Assembler a = new Assembler();

  @Test
  void listingReadsAsTheCodeWasWritten() {
    var loop = a.label("loop");
    var ones = a.floats("ones", 1f, 1f, 1f, 1f);
    a.entry("sum");
    a.op(MOV, RAX.d(), imm(3));
    a.bind(loop);
    a.note("four lanes a turn");
    a.op(VADDPS, xmm(0), xmm(0), at(ones));
    a.op(VADDPS, zmm(1).zeroing(k(2)), zmm(17), at(RDI, 64).each());
    a.op(DEC, RAX.d());
    a.op(JNE, loop);
    a.op(RET);
    assertThat(a.assemble().listing())
        .isEqualTo(
            """
            sum:
                mov eax, 0x3
            loop:
                ; four lanes a turn
                vaddps xmm0, xmm0, xmmword ptr [rip+ones]
                vaddps zmm1{k2}{z}, zmm17, dword bcst [rdi+0x40]
                dec eax
                jne loop
                ret
            ones:
                ; 16 bytes of ones
            """);
  }

  @Test
  void prefersTheShorterVexEncodingAndFallsBackToEvex() {
    assertThat(encoded(VADDPS, ymm(1), ymm(2), ymm(3))).isEqualTo("c5ec58cb");
    assertThat(encoded(VADDPS, ymm(1), ymm(2), ymm(9))).isEqualTo("c4c16c58c9");
    assertThat(encoded(VADDPS, ymm(1), ymm(2), ymm(19))).isEqualTo("62b16c2858cb");
    assertThat(encoded(VADDPS, ymm(1).merging(k(1)), ymm(2), ymm(3))).startsWith("62");
  }

  @Test
  void evexDisplacementsAreCountedInUnitsOfTheOperand() {
    assertThat(encoded(VMOVUPS, zmm(0), at(RAX, 64))).isEqualTo("62f17c48104001");
    assertThat(encoded(VMOVUPS, zmm(0), at(RAX, -8192))).isEqualTo("62f17c48104080");
    assertThat(encoded(VMOVUPS, zmm(0), at(RAX, 65))).isEqualTo("62f17c48108041000000");
    assertThat(encoded(VPDPBUSD, zmm(0), zmm(1), at(RAX, 4).each())).isEqualTo("62f27558504001");
  }

  @Test
  void branchesAreShortWhereTheyReachAndNearElsewhere() {
    var back = a.label("back");
    var ahead = a.label("ahead");
    a.bind(back);
    for (int i = 0; i < 120; i++) {
      a.op(NOP);
    }
    a.op(JNE, back); // -122: short
    a.op(JMP, ahead); // over 133 bytes of code: near
    a.op(JNE, back); // -129: near
    for (int i = 0; i < 127; i++) {
      a.op(NOP);
    }
    a.bind(ahead);
    var code = a.assemble();
    var branches =
        code.lines().stream().filter(l -> l.text().startsWith("j")).map(code::hex).toList();
    assertThat(branches).containsExactly("7586", "e985000000", "0f857bffffff");
  }

  @Test
  void aBranchThatGrowsPushesItsNeighbourOutOfReach() {
    var end = a.label("end");
    var middle = a.label("middle");
    a.op(JMP, middle); // short only while the one inside its range is short
    a.op(JMP, end);
    for (int i = 0; i < 124; i++) {
      a.op(NOP);
    }
    a.bind(middle);
    for (int i = 0; i < 100; i++) {
      a.op(NOP);
    }
    a.bind(end);
    assertThat(a.assemble().size()).isEqualTo(5 + 5 + 224);
  }

  @Test
  void callsReachForwardAndEntriesAreAligned() {
    var f = a.label("f");
    a.entry("g");
    a.op(CALL, f);
    a.op(RET);
    a.align(64);
    a.bind(f);
    a.op(RET);
    var code = a.assemble();
    assertThat(code.size()).isEqualTo(65);
    assertThat(HexFormat.of().formatHex(code.bytes())).startsWith("e83b000000c3");
  }

  @Test
  void labelsMustBeBoundOnce() {
    var lost = a.label("lost");
    a.op(JMP, lost);
    assertThatThrownBy(a::assemble)
        .isInstanceOf(AsmException.class)
        .hasMessage("the label lost is used but bound nowhere");
    a.bind(lost);
    a.bind(lost);
    assertThatThrownBy(a::assemble).hasMessage("the label lost is bound twice");
  }

  @Test
  void operandsThatDoNotFitAreRefusedWithTheForms() {
    assertThatThrownBy(() -> a.op(ADD, RAX, RCX.d()))
        .isInstanceOf(AsmException.class)
        .hasMessage(
            "add does not take (rax, ecx); its forms are:"
                + " 03 /r Gy Ey; 01 /r Ey Gy; 83 /0 Ey Is; 81 /0 Ey Id");
    assertThatThrownBy(() -> a.op(VADDPS, ymm(0), zmm(1), ymm(2)))
        .hasMessageContaining("ymm0, zmm1, ymm2");
    assertThatThrownBy(() -> a.op(VPXOR, ymm(0), ymm(1), ymm(16)))
        .hasMessageContaining("vpxor does not take");
    assertThatThrownBy(() -> a.op(ADD, RAX, imm(1L << 31))).hasMessageContaining("0x80000000");
    assertThatThrownBy(() -> a.op(VADDPS, ymm(0), ymm(1), at(RAX).sized(128)))
        .hasMessageContaining("[rax] of 128 bits");
    assertThatThrownBy(() -> a.op(ADD, a.label("x"))).hasMessageContaining("add is no branch");
  }

  @Test
  void memoryOfNoSaidSizeIsRefusedWhereNoRegisterSaysIt() {
    assertThatThrownBy(() -> a.op(MOV, at(RAX), imm(1))).hasMessageContaining("no said size");
    assertThatThrownBy(() -> a.op(LOCK_INC, at(RAX))).hasMessageContaining("no said size");
    assertThatThrownBy(() -> a.op(MOVZX, RAX.d(), at(RSI))).hasMessageContaining("no said size");
    a.op(MOV, at(RAX).sized(32), imm(1));
    a.op(MOVZX, RAX.d(), at(RSI).sized(16));
    a.op(LEA, RAX, at(RSI, RDI, 2));
    assertThat(a.assemble().size()).isEqualTo(6 + 3 + 4);
  }

  @Test
  void impossibleOperandsCannotBeMade() {
    assertThatThrownBy(() -> at(RAX, RSP, 1)).hasMessageContaining("rsp cannot be an index");
    assertThatThrownBy(() -> at(RAX, RCX, 3)).hasMessageContaining("1, 2, 4 or 8, got 3");
    assertThatThrownBy(() -> at(RAX, 1L << 31)).hasMessageContaining("32 bits");
    assertThatThrownBy(() -> at(RAX.d())).hasMessageContaining("64-bit");
    assertThatThrownBy(() -> zmm(32)).hasMessageContaining("0 to 31, got 32");
    assertThatThrownBy(() -> zmm(0).merging(k(0))).hasMessageContaining("k0 cannot mask zmm0");
  }

  @Test
  void zeroingIsForVectorRegistersAlone() {
    a.op(VCMPLTPS, k(1).merging(k(2)), zmm(1), zmm(2));
    a.op(VMOVUPS, at(RAX).merging(k(3)), zmm(1));
    assertThatThrownBy(() -> new Masked(at(RAX), k(1), true)).hasMessageContaining("zeroed");
    assertThatThrownBy(() -> a.op(VPXOR, ymm(1).merging(k(1)), ymm(2), ymm(3)))
        .hasMessageContaining("vpxor does not take");
  }

  private static String encoded(Op op, Operand... operands) {
    var assembler = new Assembler();
    assembler.op(op, operands);
    return HexFormat.of().formatHex(assembler.assemble().bytes());
  }
}
