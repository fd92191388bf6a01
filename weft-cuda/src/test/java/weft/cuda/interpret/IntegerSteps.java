package weft.cuda.interpret;

import static weft.cuda.interpret.Slots.LANES;

import java.util.Optional;
import java.util.function.IntBinaryOperator;
import java.util.function.IntUnaryOperator;
import java.util.function.LongBinaryOperator;
import weft.cuda.interpret.Instruction.Step;

/** Whole numbers and bits. */
final class IntegerSteps {
  private final Statement s;
  private final Slots slots;

  private IntegerSteps(Statement s, Slots slots) {
    this.s = s;
    this.slots = slots;
  }

  /** A function of three words. */
  @FunctionalInterface
  interface Ternary {
    int apply(int a, int b, int c);
  }

  static Optional<Step> of(Statement s, Slots slots) {
    return Optional.ofNullable(new IntegerSteps(s, slots).step());
  }

  private Step step() {
    return switch (s.mnemonic()) {
      case "add.s32", "add.u32" -> two(Integer::sum);
      case "sub.s32", "sub.u32" -> two((a, b) -> a - b);
      case "mul.lo.s32", "mul.lo.u32" -> two((a, b) -> a * b);
      case "mul.hi.u32" -> two((a, b) -> (int) ((a & M) * (b & M) >>> 32));
      case "mul.hi.s32" -> two((a, b) -> (int) ((long) a * b >> 32));
      case "mad.lo.s32", "mad.lo.u32" -> three((a, b, c) -> a * b + c);
      case "div.u32" -> two((a, b) -> b == 0 ? -1 : Integer.divideUnsigned(a, b));
      case "div.s32" -> two((a, b) -> b == 0 ? -1 : a / b);
      case "rem.u32" -> two((a, b) -> b == 0 ? a : Integer.remainderUnsigned(a, b));
      case "rem.s32" -> two((a, b) -> b == 0 ? a : a % b);
      case "min.s32" -> two(Math::min);
      case "max.s32" -> two(Math::max);
      case "min.u32" -> two((a, b) -> Integer.compareUnsigned(a, b) < 0 ? a : b);
      case "max.u32" -> two((a, b) -> Integer.compareUnsigned(a, b) > 0 ? a : b);
      case "neg.s32" -> one(a -> -a);
      case "abs.s32" -> one(Math::abs);
      case "and.b32" -> two((a, b) -> a & b);
      case "or.b32" -> two((a, b) -> a | b);
      case "xor.b32" -> two((a, b) -> a ^ b);
      case "not.b32" -> one(a -> ~a);
      case "shl.b32" -> two((a, b) -> isFar(b, 32) ? 0 : a << b);
      case "shr.u32", "shr.b32" -> two((a, b) -> isFar(b, 32) ? 0 : a >>> b);
      case "shr.s32" -> two((a, b) -> a >> (isFar(b, 32) ? 31 : b));
      case "popc.b32" -> one(Integer::bitCount);
      case "clz.b32" -> one(Integer::numberOfLeadingZeros);
      case "brev.b32" -> one(Integer::reverse);
      case "bfe.u32" -> three((a, from, n) -> bits(a, from & 255, n & 255));
      case "bfe.s32" -> three((a, from, n) -> signedBits(a, from & 255, n & 255));
      case "prmt.b32" -> three(IntegerSteps::permute);
      case "dp4a.s32.s32" -> three((a, b, c) -> dot(a, b, c, true));
      case "dp4a.u32.s32" -> three((a, b, c) -> dot(a, b, c, false));
      case "lop3.b32" -> lop3();
      case "mul.wide.u32" -> wideOfWords(false, (a, b) -> a * b, 2);
      case "mul.wide.s32" -> wideOfWords(true, (a, b) -> a * b, 2);
      case "mad.wide.u32" -> wideOfWords(false, (a, b) -> a * b, 3);
      case "mad.wide.s32" -> wideOfWords(true, (a, b) -> a * b, 3);
      case "add.s64", "add.u64" -> twoWide(Long::sum);
      case "sub.s64", "sub.u64" -> twoWide((a, b) -> a - b);
      case "mul.lo.s64", "mul.lo.u64" -> twoWide((a, b) -> a * b);
      case "mad.lo.s64", "mad.lo.u64" -> madWide();
      case "and.b64" -> twoWide((a, b) -> a & b);
      case "or.b64" -> twoWide((a, b) -> a | b);
      case "xor.b64" -> twoWide((a, b) -> a ^ b);
      case "min.u64" -> twoWide((a, b) -> Long.compareUnsigned(a, b) < 0 ? a : b);
      case "max.u64" -> twoWide((a, b) -> Long.compareUnsigned(a, b) > 0 ? a : b);
      case "min.s64" -> twoWide(Math::min);
      case "max.s64" -> twoWide(Math::max);
      case "shl.b64" -> shiftWide((a, b) -> a << b);
      case "shr.u64", "shr.b64" -> shiftWide((a, b) -> a >>> b);
      case "shr.s64" -> shiftWide((a, b) -> a >> b);
      default -> null;
    };
  }

  private static final long M = 0xFFFF_FFFFL;

  private static boolean isFar(int by, int bits) {
    return by < 0 || by >= bits;
  }

  private static int bits(int a, int from, int count) {
    if (count == 0 || from > 31) return 0;
    long all = (a & M) >>> from;
    return (int) (count >= 32 ? all : all & (1L << count) - 1);
  }

  private static int signedBits(int a, int from, int count) {
    if (count == 0) return 0;
    int last = Math.min(from + count, 32) - 1;
    if (from > 31) return a >> 31;
    return a << 31 - last >> 31 - last >> from;
  }

  private static int permute(int a, int b, int selector) {
    long bytes = (a & M) | ((b & M) << 32);
    int to = 0;
    for (int i = 0; i < 4; i++) {
      int nibble = selector >>> 4 * i;
      int value = (int) (bytes >>> 8 * (nibble & 7)) & 255;
      if ((nibble & 8) != 0) value = (value & 128) != 0 ? 255 : 0;
      to |= value << 8 * i;
    }
    return to;
  }

  private static int dot(int a, int b, int c, boolean isSigned) {
    for (int shift = 0; shift < 32; shift += 8) {
      int x = isSigned ? (byte) (a >> shift) : a >> shift & 255;
      c += x * (byte) (b >> shift);
    }
    return c;
  }

  private Step lop3() {
    int table = (int) slots.whole(s.operand(4));
    return three(
        (a, b, c) -> {
          int to = 0;
          if ((table & 1) != 0) to |= ~a & ~b & ~c;
          if ((table & 2) != 0) to |= ~a & ~b & c;
          if ((table & 4) != 0) to |= ~a & b & ~c;
          if ((table & 8) != 0) to |= ~a & b & c;
          if ((table & 16) != 0) to |= a & ~b & ~c;
          if ((table & 32) != 0) to |= a & ~b & c;
          if ((table & 64) != 0) to |= a & b & ~c;
          if ((table & 128) != 0) to |= a & b & c;
          return to;
        });
  }

  private int word(int index, String type) {
    return slots.word(s.operand(index), type);
  }

  private String type() {
    return s.mnemonic().startsWith("dp4a") || s.type().startsWith("b") ? "b32" : s.type();
  }

  private Step one(IntUnaryOperator f) {
    int to = slots.register(s.operand(0), s.mnemonic().startsWith("popc") ? "b32" : type());
    int a = word(1, type());
    return (w, lanes) -> {
      var r = w.words;
      for (int l = 0; l < LANES; l++)
        if ((lanes >>> l & 1) != 0) r[to + l] = f.applyAsInt(r[a + l]);
    };
  }

  private Step two(IntBinaryOperator f) {
    int to = slots.register(s.operand(0), type());
    int a = word(1, type());
    int b = word(2, s.mnemonic().startsWith("sh") ? "b32" : type());
    return (w, lanes) -> {
      var r = w.words;
      for (int l = 0; l < LANES; l++) {
        if ((lanes >>> l & 1) != 0) r[to + l] = f.applyAsInt(r[a + l], r[b + l]);
      }
    };
  }

  private Step three(Ternary f) {
    int to = slots.register(s.operand(0), type());
    int a = word(1, type());
    int b = word(2, type());
    int c = word(3, type());
    return (w, lanes) -> {
      var r = w.words;
      for (int l = 0; l < LANES; l++) {
        if ((lanes >>> l & 1) != 0) r[to + l] = f.apply(r[a + l], r[b + l], r[c + l]);
      }
    };
  }

  private Step twoWide(LongBinaryOperator f) {
    int to = slots.register(s.operand(0), s.type());
    int a = slots.wide(s.operand(1), s.type());
    int b = slots.wide(s.operand(2), s.type());
    return (w, lanes) -> {
      var r = w.wides;
      for (int l = 0; l < LANES; l++) {
        if ((lanes >>> l & 1) != 0) r[to + l] = f.applyAsLong(r[a + l], r[b + l]);
      }
    };
  }

  private Step madWide() {
    int to = slots.register(s.operand(0), s.type());
    int a = slots.wide(s.operand(1), s.type());
    int b = slots.wide(s.operand(2), s.type());
    int c = slots.wide(s.operand(3), s.type());
    return (w, lanes) -> {
      var r = w.wides;
      for (int l = 0; l < LANES; l++) {
        if ((lanes >>> l & 1) != 0) r[to + l] = r[a + l] * r[b + l] + r[c + l];
      }
    };
  }

  private Step shiftWide(LongBinaryOperator f) {
    int to = slots.register(s.operand(0), s.type());
    int a = slots.wide(s.operand(1), s.type());
    int b = slots.word(s.operand(2), "b32");
    return (w, lanes) -> {
      var r = w.wides;
      for (int l = 0; l < LANES; l++) {
        if ((lanes >>> l & 1) == 0) continue;
        int by = w.words[b + l];
        r[to + l] = isFar(by, 64) ? 0 : f.applyAsLong(r[a + l], by);
      }
    };
  }

  private Step wideOfWords(boolean isSigned, LongBinaryOperator f, int operands) {
    var type = s.type();
    int to = slots.register(s.operand(0), isSigned ? "s64" : "u64");
    int a = word(1, type);
    int b = word(2, type);
    int c = operands == 3 ? slots.wide(s.operand(3), isSigned ? "s64" : "u64") : -1;
    return (w, lanes) -> {
      for (int l = 0; l < LANES; l++) {
        if ((lanes >>> l & 1) == 0) continue;
        long x = isSigned ? w.words[a + l] : w.words[a + l] & M;
        long y = isSigned ? w.words[b + l] : w.words[b + l] & M;
        w.wides[to + l] = f.applyAsLong(x, y) + (c < 0 ? 0 : w.wides[c + l]);
      }
    };
  }
}
