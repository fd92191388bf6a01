package weft.cpu.asm;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * An instruction: a mnemonic and the forms it has, the shortest first.
 *
 * <p>A form is one line of the manual, in its own notation: the encoding ({@code VEX}, {@code EVEX}
 * with prefix, opcode map, W and vector lengths; nothing for legacy instructions), the opcode
 * bytes, {@code /r} or {@code /digit}, {@code =ib} for a fixed last byte, then the operands in the
 * letters of the manual's Appendix A:
 *
 * <pre>
 *   G E R  general-purpose register in ModRM.reg; register or memory, register only, in ModRM.rm
 *   O B    register in the opcode byte, in VEX.vvvv; sizes b w d q, or y: 32 or 64 by REX.W
 *   V H    vector register in ModRM.reg, in VEX.vvvv;   L: in the high bits of a last byte
 *   W U    vector register or memory, register only, in ModRM.rm
 *   M      memory only: M (no size), M:n (n bits), ML (a whole vector), MS (by base and stride)
 *   Kr Kv Km  mask register in ModRM.reg, VEX.vvvv, ModRM.rm (Km:n also n bits of memory)
 *   Tr Tv Tm  tile register in these places
 *   Is Ib Iw Id Iq  immediate: a sign-extended byte, or a byte, word, doubleword, quadword
 *   Jb Jd  branch distance;   CL, 1: that operand and no other
 * </pre>
 *
 * A vector operand is of the instruction's length, or {@code /2 /4 /8} of it, or fixed: {@code x y}
 * (128, 256). {@code :n} says how many bits it reads where it is memory, {@code {32}} and {@code
 * {64}} the element that may be broadcast, {@code {er}} that a rounding operand may follow. A row
 * of {@code VEX+EVEX} stands for both encodings; {@code EW1} there sets W in EVEX alone.
 */
public sealed interface Op permits BaseOp, VectorOp {
  String name();

  List<Form> forms();

  /** The mnemonic as the manual writes it, in small letters. */
  default String mnemonic() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }

  static List<Form> parse(String... rows) {
    return Arrays.stream(rows).flatMap(row -> FormParser.parse(row).stream()).toList();
  }
}
