package weft.cuda.interpret;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Where each register, number and special register of a kernel lies; judges types as it goes. */
final class Slots {
  static final int LANES = 32;

  private static final Set<String> SPECIALS =
      Set.of(
          "%tid.x",
          "%tid.y",
          "%tid.z",
          "%ntid.x",
          "%ntid.y",
          "%ntid.z",
          "%ctaid.x",
          "%ctaid.y",
          "%ctaid.z",
          "%nctaid.x",
          "%nctaid.y",
          "%nctaid.z",
          "%laneid",
          "%warpid");

  private final ParsedKernel kernel;
  private final Map<String, Integer> places = new HashMap<>();
  private final Map<String, Integer> symbols = new HashMap<>();
  private final Map<Integer, Integer> wordNumbers = new HashMap<>();
  private final Map<Integer, Long> wideNumbers = new HashMap<>();
  private final Map<String, Integer> specials = new HashMap<>();
  private int words;
  private int wides;
  private int preds;
  private Statement at;

  Slots(ParsedKernel kernel, Map<String, Integer> symbols) {
    this.kernel = kernel;
    this.symbols.putAll(symbols);
    this.at = kernel.statements().getFirst();
    kernel
        .registers()
        .forEach(
            (name, type) ->
                places.put(
                    name,
                    switch (type) {
                      case "pred" -> preds++;
                      case "b64", "u64", "s64", "f64" -> wides++ * LANES;
                      case "b16", "u16", "s16", "f16", "b32", "u32", "s32", "f32" ->
                          words++ * LANES;
                      default -> throw new PtxFault(name + " has no known type: ." + type);
                    }));
  }

  /** The instruction whose operands are asked for next. */
  void at(Statement statement) {
    at = statement;
  }

  PtxFault problem(String what) {
    return PtxFault.at(kernel.name(), at, what);
  }

  /** The place of 32 or 16 bits that an instruction of this type reads. */
  int word(String operand, String type) {
    if (operand.startsWith("%")) {
      if (SPECIALS.contains(operand)) {
        return specials.computeIfAbsent(operand, _ -> words++ * LANES);
      }
      return register(operand, type);
    }
    if (symbols.containsKey(operand)) return number(symbols.get(operand));
    return number(
        operand.startsWith("0f")
            ? Integer.parseUnsignedInt(operand.substring(2), 16)
            : (int) whole(operand));
  }

  private int number(int value) {
    int place = words++ * LANES;
    wordNumbers.put(place, value);
    return place;
  }

  /** The place of 64 bits that an instruction of this type reads. */
  int wide(String operand, String type) {
    if (operand.startsWith("%")) return register(operand, type);
    int place = wides++ * LANES;
    wideNumbers.put(
        place,
        operand.startsWith("0d")
            ? Long.parseUnsignedLong(operand.substring(2), 16)
            : whole(operand));
    return place;
  }

  int pred(String operand) {
    return register(operand, "pred");
  }

  /** The number that an operand is. */
  long whole(String operand) {
    try {
      return Long.decode(operand);
    } catch (NumberFormatException e) {
      throw problem(operand + " is neither a declared name nor a number");
    }
  }

  int register(String name, String type) {
    var has = kernel.registers().get(name);
    if (has == null) throw problem("register " + name + " is not declared");
    if (!fits(has, type)) {
      throw problem("register %s is .%s and does not fit .%s".formatted(name, has, type));
    }
    return places.get(name);
  }

  /** A register that a load or a store of this type fills or empties in part. */
  int part(String name, String type) {
    var has = kernel.registers().get(name);
    boolean isWider = has != null && has.charAt(0) != 'f' && Slots.bits(has) > Slots.bits(type);
    return isWider && !type.startsWith("f") ? places.get(name) : register(name, type);
  }

  /** Bits fit anything of their size; loads and stores of less fit wider registers. */
  private static boolean fits(String has, String type) {
    if (has.equals(type)) return true;
    int bits = bits(type);
    if (bits(has) != bits) return false;
    return has.charAt(0) == 'b'
        || type.charAt(0) == 'b'
        || (has.charAt(0) != 'f' && type.charAt(0) != 'f');
  }

  static int bits(String type) {
    return switch (type) {
      case "pred" -> 1;
      case "b8", "u8", "s8" -> 8;
      case "b16", "u16", "s16", "f16", "bf16" -> 16;
      case "b32", "u32", "s32", "f32", "f16x2", "bf16x2" -> 32;
      case "b64", "u64", "s64", "f64" -> 64;
      default -> throw new PtxFault("no type that the interpreter knows: ." + type);
    };
  }

  boolean isSymbol(String name) {
    return symbols.containsKey(name);
  }

  int words() {
    return words;
  }

  int wides() {
    return wides;
  }

  int preds() {
    return preds;
  }

  Map<Integer, Integer> wordNumbers() {
    return wordNumbers;
  }

  Map<Integer, Long> wideNumbers() {
    return wideNumbers;
  }

  Map<String, Integer> specials() {
    return specials;
  }

  /** The parts of an operand in braces, or it alone. */
  static List<String> parts(String operand) {
    return operand.startsWith("{")
        ? Statement.split(operand.substring(1, operand.length() - 1))
        : List.of(operand);
  }
}
