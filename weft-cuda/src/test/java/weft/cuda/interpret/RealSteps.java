package weft.cuda.interpret;

import static java.lang.Float.floatToRawIntBits;
import static java.lang.Float.intBitsToFloat;
import static weft.cuda.interpret.Slots.LANES;

import java.util.Optional;
import java.util.function.DoubleBinaryOperator;
import weft.cuda.interpret.Instruction.Step;

/** Floats; approximations are as good here as the nearest float. */
final class RealSteps {
  private final Statement s;
  private final Slots slots;

  private RealSteps(Statement s, Slots slots) {
    this.s = s;
    this.slots = slots;
  }

  @FunctionalInterface
  private interface Unary {
    float apply(float a);
  }

  @FunctionalInterface
  private interface Binary {
    float apply(float a, float b);
  }

  @FunctionalInterface
  private interface Ternary {
    float apply(float a, float b, float c);
  }

  static Optional<Step> of(Statement s, Slots slots) {
    return Optional.ofNullable(new RealSteps(s, slots).step());
  }

  private Step step() {
    return switch (s.mnemonic().replace(".ftz", "")) {
      case "add.f32", "add.rn.f32" -> two(Float::sum);
      case "sub.f32", "sub.rn.f32" -> two((a, b) -> a - b);
      case "mul.f32", "mul.rn.f32" -> two((a, b) -> a * b);
      case "div.rn.f32", "div.full.f32", "div.approx.f32" -> two((a, b) -> a / b);
      case "fma.rn.f32" -> three(Math::fma);
      case "min.f32" -> two((a, b) -> a != a ? b : b != b ? a : Math.min(a, b));
      case "max.f32" -> two((a, b) -> a != a ? b : b != b ? a : Math.max(a, b));
      case "min.NaN.f32" -> two(Math::min);
      case "max.NaN.f32" -> two(Math::max);
      case "neg.f32" -> one(a -> -a);
      case "abs.f32" -> one(Math::abs);
      case "sqrt.rn.f32", "sqrt.approx.f32" -> one(a -> (float) Math.sqrt(a));
      case "rcp.approx.f32", "rcp.rn.f32" -> one(a -> 1 / a);
      case "rsqrt.approx.f32" -> one(a -> (float) (1 / Math.sqrt(a)));
      case "ex2.approx.f32" -> one(a -> (float) Math.pow(2, a));
      case "lg2.approx.f32" -> one(a -> (float) (Math.log(a) / Math.log(2)));
      case "sin.approx.f32" -> one(a -> (float) Math.sin(a));
      case "cos.approx.f32" -> one(a -> (float) Math.cos(a));
      case "tanh.approx.f32" -> one(a -> (float) Math.tanh(a));
      case "add.rn.f64", "add.f64" -> twoExact(Double::sum);
      case "sub.rn.f64", "sub.f64" -> twoExact((a, b) -> a - b);
      case "mul.rn.f64", "mul.f64" -> twoExact((a, b) -> a * b);
      case "div.rn.f64" -> twoExact((a, b) -> a / b);
      case "fma.rn.f64" -> fmaExact();
      case "fma.rn.f16x2" -> halves();
      default -> null;
    };
  }

  private Step one(Unary f) {
    int to = slots.register(s.operand(0), "f32");
    int a = slots.word(s.operand(1), "f32");
    return (w, lanes) -> {
      var r = w.words;
      for (int l = 0; l < LANES; l++) {
        if ((lanes >>> l & 1) != 0) {
          r[to + l] = floatToRawIntBits(f.apply(intBitsToFloat(r[a + l])));
        }
      }
    };
  }

  private Step two(Binary f) {
    int to = slots.register(s.operand(0), "f32");
    int a = slots.word(s.operand(1), "f32");
    int b = slots.word(s.operand(2), "f32");
    return (w, lanes) -> {
      var r = w.words;
      for (int l = 0; l < LANES; l++) {
        if ((lanes >>> l & 1) != 0) {
          float value = f.apply(intBitsToFloat(r[a + l]), intBitsToFloat(r[b + l]));
          r[to + l] = floatToRawIntBits(value);
        }
      }
    };
  }

  private Step three(Ternary f) {
    int to = slots.register(s.operand(0), "f32");
    int a = slots.word(s.operand(1), "f32");
    int b = slots.word(s.operand(2), "f32");
    int c = slots.word(s.operand(3), "f32");
    return (w, lanes) -> {
      var r = w.words;
      for (int l = 0; l < LANES; l++) {
        if ((lanes >>> l & 1) != 0) {
          float x = intBitsToFloat(r[a + l]);
          float value = f.apply(x, intBitsToFloat(r[b + l]), intBitsToFloat(r[c + l]));
          r[to + l] = floatToRawIntBits(value);
        }
      }
    };
  }

  private static double real(long bits) {
    return Double.longBitsToDouble(bits);
  }

  private Step twoExact(DoubleBinaryOperator f) {
    int to = slots.register(s.operand(0), "f64");
    int a = slots.wide(s.operand(1), "f64");
    int b = slots.wide(s.operand(2), "f64");
    return (w, lanes) -> {
      var r = w.wides;
      for (int l = 0; l < LANES; l++) {
        if ((lanes >>> l & 1) != 0) {
          double value = f.applyAsDouble(real(r[a + l]), real(r[b + l]));
          r[to + l] = Double.doubleToRawLongBits(value);
        }
      }
    };
  }

  private Step fmaExact() {
    int to = slots.register(s.operand(0), "f64");
    int a = slots.wide(s.operand(1), "f64");
    int b = slots.wide(s.operand(2), "f64");
    int c = slots.wide(s.operand(3), "f64");
    return (w, lanes) -> {
      var r = w.wides;
      for (int l = 0; l < LANES; l++) {
        if ((lanes >>> l & 1) != 0) {
          double value = Math.fma(real(r[a + l]), real(r[b + l]), real(r[c + l]));
          r[to + l] = Double.doubleToRawLongBits(value);
        }
      }
    };
  }

  private Step halves() {
    int to = slots.register(s.operand(0), "b32");
    int a = slots.word(s.operand(1), "b32");
    int b = slots.word(s.operand(2), "b32");
    int c = slots.word(s.operand(3), "b32");
    return (w, lanes) -> {
      var r = w.words;
      for (int l = 0; l < LANES; l++) {
        if ((lanes >>> l & 1) == 0) continue;
        int both = 0;
        for (int shift = 0; shift < 32; shift += 16) {
          double x = half(r[a + l] >> shift) * (double) half(r[b + l] >> shift);
          both |= (toHalf((float) (x + half(r[c + l] >> shift))) & 0xFFFF) << shift;
        }
        r[to + l] = both;
      }
    };
  }

  static float half(int bits) {
    return Float.float16ToFloat((short) bits);
  }

  static short toHalf(float value) {
    return Float.floatToFloat16(value);
  }

  static float bfloat(int bits) {
    return intBitsToFloat(bits << 16);
  }

  /** The nearest, ties to even. */
  static int toBfloat(float value) {
    int bits = floatToRawIntBits(value);
    if (value != value) return 0x7FFF;
    return bits + 0x7FFF + (bits >>> 16 & 1) >>> 16;
  }
}
