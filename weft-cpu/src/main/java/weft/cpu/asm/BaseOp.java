package weft.cpu.asm;

import java.util.List;

/** The general-purpose instructions that kernels use; {@link Op} explains the notation. */
public enum BaseOp implements Op {
  MOV(
      "8B /r Gy Ey",
      "89 /r Ey Gy",
      "8A /r Gb Eb",
      "88 /r Eb Gb",
      "66 8B /r Gw Ew",
      "66 89 /r Ew Gw",
      "B8+r Od Id",
      "C7 /0 Ey Id",
      "C6 /0 Eb Ib",
      "66 C7 /0 Ew Iw"),
  MOVABS("REX.W B8+r Oq Iq"),
  LEA("8D /r Gy M"),
  MOVZX("0F B6 /r Gy Eb", "0F B7 /r Gy Ew"),
  MOVSX("0F BE /r Gy Eb", "0F BF /r Gy Ew"),
  MOVSXD("REX.W 63 /r Gq Ed"),
  XCHG("87 /r Ey Gy"),
  PUSH("50+r Oq"),
  POP("58+r Oq"),

  ADD("03 /r Gy Ey", "01 /r Ey Gy", "83 /0 Ey Is", "81 /0 Ey Id"),
  OR("0B /r Gy Ey", "09 /r Ey Gy", "83 /1 Ey Is", "81 /1 Ey Id"),
  AND("23 /r Gy Ey", "21 /r Ey Gy", "83 /4 Ey Is", "81 /4 Ey Id"),
  SUB("2B /r Gy Ey", "29 /r Ey Gy", "83 /5 Ey Is", "81 /5 Ey Id"),
  XOR("33 /r Gy Ey", "31 /r Ey Gy", "83 /6 Ey Is", "81 /6 Ey Id"),
  CMP("3B /r Gy Ey", "39 /r Ey Gy", "83 /7 Ey Is", "81 /7 Ey Id", "80 /7 Eb Ib"),
  TEST("85 /r Ey Gy", "F7 /0 Ey Id", "84 /r Eb Gb"),
  IMUL("0F AF /r Gy Ey", "6B /r Gy Ey Is", "69 /r Gy Ey Id"),
  MUL("F7 /4 Ey"),
  DIV("F7 /6 Ey"),
  IDIV("F7 /7 Ey"),
  CDQ("99"),
  CQO("REX.W 99"),
  INC("FF /0 Ey"),
  DEC("FF /1 Ey"),
  NOT("F7 /2 Ey"),
  NEG("F7 /3 Ey"),
  SHL("D1 /4 Ey 1", "C1 /4 Ey Ib", "D3 /4 Ey CL"),
  SHR("D1 /5 Ey 1", "C1 /5 Ey Ib", "D3 /5 Ey CL"),
  SAR("D1 /7 Ey 1", "C1 /7 Ey Ib", "D3 /7 Ey CL"),
  ROL("D1 /0 Ey 1", "C1 /0 Ey Ib", "D3 /0 Ey CL"),
  BSWAP("0F C8+r Od", "REX.W 0F C8+r Oq"),
  POPCNT("F3 0F B8 /r Gy Ey"),
  TZCNT("F3 0F BC /r Gy Ey"),
  LZCNT("F3 0F BD /r Gy Ey"),

  ANDN("VEX.LZ.0F38 F2 /r Gy By Ey"),
  BZHI("VEX.LZ.0F38 F5 /r Gy Ey By"),
  PEXT("VEX.LZ.F3.0F38 F5 /r Gy By Ey"),
  PDEP("VEX.LZ.F2.0F38 F5 /r Gy By Ey"),
  SHLX("VEX.LZ.66.0F38 F7 /r Gy Ey By"),
  SARX("VEX.LZ.F3.0F38 F7 /r Gy Ey By"),
  SHRX("VEX.LZ.F2.0F38 F7 /r Gy Ey By"),
  RORX("VEX.LZ.F2.0F3A F0 /r Gy Ey Ib"),

  CMOVB("0F 42 /r Gy Ey"),
  CMOVAE("0F 43 /r Gy Ey"),
  CMOVE("0F 44 /r Gy Ey"),
  CMOVNE("0F 45 /r Gy Ey"),
  CMOVBE("0F 46 /r Gy Ey"),
  CMOVA("0F 47 /r Gy Ey"),
  CMOVL("0F 4C /r Gy Ey"),
  CMOVGE("0F 4D /r Gy Ey"),
  CMOVLE("0F 4E /r Gy Ey"),
  CMOVG("0F 4F /r Gy Ey"),
  SETB("0F 92 /0 Eb"),
  SETAE("0F 93 /0 Eb"),
  SETE("0F 94 /0 Eb"),
  SETNE("0F 95 /0 Eb"),
  SETL("0F 9C /0 Eb"),
  SETGE("0F 9D /0 Eb"),

  JMP("EB Jb", "E9 Jd", "FF /4 Eq"),
  JB("72 Jb", "0F 82 Jd"),
  JAE("73 Jb", "0F 83 Jd"),
  JE("74 Jb", "0F 84 Jd"),
  JNE("75 Jb", "0F 85 Jd"),
  JBE("76 Jb", "0F 86 Jd"),
  JA("77 Jb", "0F 87 Jd"),
  JS("78 Jb", "0F 88 Jd"),
  JNS("79 Jb", "0F 89 Jd"),
  JL("7C Jb", "0F 8C Jd"),
  JGE("7D Jb", "0F 8D Jd"),
  JLE("7E Jb", "0F 8E Jd"),
  JG("7F Jb", "0F 8F Jd"),
  CALL("E8 Jd", "FF /2 Eq"),
  RET("C3"),
  INT3("CC"),
  UD2("0F 0B"),

  LOCK_XADD("F0 0F C1 /r My Gy"),
  LOCK_CMPXCHG("F0 0F B1 /r My Gy"),
  LOCK_INC("F0 FF /0 My"),
  LOCK_DEC("F0 FF /1 My"),
  LOCK_ADD("F0 01 /r My Gy"),
  MFENCE("0F AE F0"),
  LFENCE("0F AE E8"),
  SFENCE("0F AE F8"),
  PAUSE("F3 90"),
  NOP("90"),
  PREFETCHNTA("0F 18 /0 M:8"),
  PREFETCHT0("0F 18 /1 M:8"),
  PREFETCHT1("0F 18 /2 M:8"),
  PREFETCHT2("0F 18 /3 M:8"),
  CPUID("0F A2"),
  XGETBV("0F 01 D0"),
  RDTSC("0F 31"),
  SYSCALL("0F 05");

  private final List<Form> forms;

  BaseOp(String... rows) {
    forms = Op.parse(rows);
  }

  @Override
  public List<Form> forms() {
    return forms;
  }
}
