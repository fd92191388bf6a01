package weft.cuda.interpret;

import static java.lang.Float.floatToRawIntBits;
import static java.lang.Float.intBitsToFloat;
import static weft.cuda.interpret.Slots.LANES;

import java.util.Optional;
import java.util.function.DoubleToIntFunction;
import java.util.function.DoubleUnaryOperator;
import java.util.function.IntBinaryOperator;
import java.util.function.LongToDoubleFunction;
import weft.cuda.interpret.Instruction.Step;

/** Moves, conversions, comparisons and choices. */
final class MoveSteps {
  private final Statement s;
  private final Slots slots;

  private MoveSteps(Statement s, Slots slots) {
    this.s = s;
    this.slots = slots;
  }

  static Optional<Step> of(Statement s, Slots slots) {
    return Optional.ofNullable(new MoveSteps(s, slots).step());
  }

  private Step step() {
    int point = s.mnemonic().indexOf('.');
    return switch (point < 0 ? s.mnemonic() : s.mnemonic().substring(0, point)) {
      case "mov" -> move();
      case "cvta" -> wideMove("u64");
      case "cvt" -> convert();
      case "setp" -> compare();
      case "selp" -> select();
      case "and" -> s.has("pred") ? preds((a, b) -> a & b) : null;
      case "or" -> s.has("pred") ? preds((a, b) -> a | b) : null;
      case "xor" -> s.has("pred") ? preds((a, b) -> a ^ b) : null;
      case "not" -> s.has("pred") ? preds((a, _) -> ~a) : null;
      case "activemask" -> activeMask();
      default -> null;
    };
  }

  private Step move() {
    if (s.type().equals("pred")) return preds((a, _) -> a);
    return Slots.bits(s.type()) == 64 ? wideMove(s.type()) : wordMove(s.type());
  }

  private Step wideMove(String type) {
    int to = slots.register(s.operand(0), type);
    int a = slots.wide(s.operand(1), type);
    return (w, lanes) -> each(lanes, l -> w.wides[to + l] = w.wides[a + l]);
  }

  private Step wordMove(String type) {
    int to = slots.register(s.operand(0), type);
    int a = slots.word(s.operand(1), type);
    return (w, lanes) -> each(lanes, l -> w.words[to + l] = w.words[a + l]);
  }

  private Step activeMask() {
    int to = slots.register(s.operand(0), "b32");
    return (w, lanes) -> each(lanes, l -> w.words[to + l] = lanes);
  }

  @FunctionalInterface
  interface Lane {
    void at(int lane);
  }

  static void each(int lanes, Lane f) {
    for (int l = 0; l < LANES; l++) if ((lanes >>> l & 1) != 0) f.at(l);
  }

  private Step preds(IntBinaryOperator f) {
    int to = slots.pred(s.operand(0));
    int a = slots.pred(s.operand(1));
    int b = s.operands().size() > 2 ? slots.pred(s.operand(2)) : a;
    return (w, lanes) -> {
      int value = f.applyAsInt(w.preds[a], w.preds[b]);
      w.preds[to] = w.preds[to] & ~lanes | value & lanes;
    };
  }

  private Step convert() {
    var words = s.mnemonic().split("\\.");
    var from = words[words.length - 1];
    var toType = words[words.length - 2];
    if (toType.endsWith("x2")) return convertTwo(toType);
    var registerFrom = Slots.bits(from) == 16 ? "b16" : from;
    var registerTo = Slots.bits(toType) == 16 ? "b16" : toType;
    int to =
        Slots.bits(toType) == 8
            ? slots.part(s.operand(0), toType)
            : slots.register(s.operand(0), registerTo);
    boolean wideFrom = Slots.bits(from) == 64;
    boolean wideTo = Slots.bits(toType) == 64;
    int a =
        wideFrom ? slots.wide(s.operand(1), registerFrom) : slots.word(s.operand(1), registerFrom);
    var rounding = rounding();
    var read = value(from);
    boolean fromReal = from.contains("f");
    boolean toReal = toType.contains("f");
    if (!fromReal && !toReal) {
      boolean isSigned = from.startsWith("s");
      return (w, lanes) ->
          each(
              lanes,
              l -> {
                long value =
                    wideFrom ? w.wides[a + l] : whole(w.words[a + l], Slots.bits(from), isSigned);
                if (wideTo) w.wides[to + l] = value;
                else w.words[to + l] = narrowed((int) value, toType);
              });
    }
    if (wideTo) {
      boolean isExact = toType.equals("f64");
      return (w, lanes) ->
          each(
              lanes,
              l -> {
                long bits = wideFrom ? w.wides[a + l] : w.words[a + l];
                double rounded = rounding.applyAsDouble(read.applyAsDouble(bits));
                w.wides[to + l] = isExact ? Double.doubleToRawLongBits(rounded) : (long) rounded;
              });
    }
    var bitsOf = wordBits(toType);
    return (w, lanes) ->
        each(
            lanes,
            l -> {
              long bits = wideFrom ? w.wides[a + l] : w.words[a + l];
              double rounded = rounding.applyAsDouble(read.applyAsDouble(bits));
              w.words[to + l] = bitsOf.applyAsInt(rounded);
            });
  }

  private DoubleUnaryOperator rounding() {
    if (s.has("rni")) return Math::rint;
    if (s.has("rmi")) return Math::floor;
    if (s.has("rpi")) return Math::ceil;
    if (s.has("rzi")) return a -> a < 0 ? Math.ceil(a) : Math.floor(a);
    return a -> a;
  }

  private static long whole(int value, int bits, boolean isSigned) {
    int up = 32 - bits;
    return isSigned ? value << up >> up : (value << up >>> up) & 0xFFFF_FFFFL;
  }

  private static int narrowed(int value, String type) {
    return switch (type) {
      case "u16", "b16", "s16" -> value & 0xFFFF;
      case "u8" -> value & 0xFF;
      case "s8" -> (byte) value;
      default -> value;
    };
  }

  private static LongToDoubleFunction value(String type) {
    return switch (type) {
      case "f16" -> bits -> RealSteps.half((int) bits);
      case "bf16" -> bits -> RealSteps.bfloat((int) bits);
      case "f32" -> bits -> intBitsToFloat((int) bits);
      case "f64" -> Double::longBitsToDouble;
      case "u32" -> bits -> bits & 0xFFFF_FFFFL;
      case "s32" -> bits -> (int) bits;
      case "u16" -> bits -> bits & 0xFFFF;
      case "s16" -> bits -> (short) bits;
      case "u8" -> bits -> bits & 0xFF;
      case "s8" -> bits -> (byte) bits;
      default -> bits -> bits;
    };
  }

  private static DoubleToIntFunction wordBits(String type) {
    return switch (type) {
      case "f16" -> value -> RealSteps.toHalf((float) value) & 0xFFFF;
      case "bf16" -> value -> RealSteps.toBfloat((float) value);
      case "f32" -> value -> floatToRawIntBits((float) value);
      case "u32" -> value -> (int) Math.clamp((long) value, 0, 0xFFFF_FFFFL);
      case "s32" -> value -> (int) value;
      case "s8" -> value -> Math.clamp((long) value, -128, 127);
      case "u8" -> value -> Math.clamp((long) value, 0, 255);
      default -> throw new PtxFault("no conversion to ." + type);
    };
  }

  /** Two floats in one word: the first operand above. */
  private Step convertTwo(String type) {
    int to = slots.register(s.operand(0), "b32");
    int high = slots.word(s.operand(1), "f32");
    int low = slots.word(s.operand(2), "f32");
    var one = wordBits(type.substring(0, type.length() - 2));
    return (w, lanes) ->
        each(
            lanes,
            l ->
                w.words[to + l] =
                    one.applyAsInt(intBitsToFloat(w.words[high + l])) << 16
                        | one.applyAsInt(intBitsToFloat(w.words[low + l])) & 0xFFFF);
  }

  /** Whether an order, as a comparison gives it, is what is asked; {@code unlike} for NaN. */
  @FunctionalInterface
  private interface Holds {
    boolean of(int order, boolean isUnlike);
  }

  private Step compare() {
    var word = s.mnemonic().split("\\.")[1];
    Holds holds =
        switch (word) {
          case "eq" -> (o, u) -> !u && o == 0;
          case "ne" -> (o, u) -> !u && o != 0;
          case "num" -> (_, u) -> !u;
          case "nan" -> (_, u) -> u;
          case "neu" -> (o, u) -> u || o != 0;
          case "lt", "lo" -> (o, u) -> !u && o < 0;
          case "le", "ls" -> (o, u) -> !u && o <= 0;
          case "gt", "hi" -> (o, u) -> !u && o > 0;
          case "ge", "hs" -> (o, u) -> !u && o >= 0;
          default -> throw slots.problem("no comparison ." + word);
        };
    var type = s.type();
    int to = slots.pred(s.operand(0));
    boolean isWide = Slots.bits(type) == 64;
    int a = isWide ? slots.wide(s.operand(1), type) : slots.word(s.operand(1), type);
    int b = isWide ? slots.wide(s.operand(2), type) : slots.word(s.operand(2), type);
    var order = order(type, a, b);
    return (w, lanes) -> {
      int is = 0;
      for (int l = 0; l < LANES; l++) {
        if ((lanes >>> l & 1) == 0) continue;
        int found = order.of(w, l);
        if (holds.of(found, found == UNLIKE)) is |= 1 << l;
      }
      w.preds[to] = w.preds[to] & ~lanes | is;
    };
  }

  /** Neither less nor equal nor greater. */
  private static final int UNLIKE = 2;

  /** How two operands of a lane compare. */
  @FunctionalInterface
  private interface Order {
    int of(Warp w, int lane);
  }

  private static Order order(String type, int a, int b) {
    return switch (type) {
      case "s32", "b32" -> (w, l) -> Integer.compare(w.words[a + l], w.words[b + l]);
      case "u32" -> (w, l) -> Integer.compareUnsigned(w.words[a + l], w.words[b + l]);
      case "s64", "b64" -> (w, l) -> Long.compare(w.wides[a + l], w.wides[b + l]);
      case "u64" -> (w, l) -> Long.compareUnsigned(w.wides[a + l], w.wides[b + l]);
      case "f64" ->
          (w, l) ->
              order(
                  Double.longBitsToDouble(w.wides[a + l]), Double.longBitsToDouble(w.wides[b + l]));
      default -> {
        var value = value(type);
        yield (w, l) ->
            order(value.applyAsDouble(w.words[a + l]), value.applyAsDouble(w.words[b + l]));
      }
    };
  }

  private static int order(double x, double y) {
    return x < y ? -1 : x > y ? 1 : x == y ? 0 : UNLIKE;
  }

  private Step select() {
    var type = s.type();
    int to = slots.register(s.operand(0), type);
    int when = slots.pred(s.operand(3));
    if (Slots.bits(type) == 64) {
      int a = slots.wide(s.operand(1), type);
      int b = slots.wide(s.operand(2), type);
      return (w, lanes) ->
          each(lanes, l -> w.wides[to + l] = w.wides[((w.preds[when] >>> l & 1) != 0 ? a : b) + l]);
    }
    int a = slots.word(s.operand(1), type);
    int b = slots.word(s.operand(2), type);
    return (w, lanes) ->
        each(lanes, l -> w.words[to + l] = w.words[((w.preds[when] >>> l & 1) != 0 ? a : b) + l]);
  }
}
