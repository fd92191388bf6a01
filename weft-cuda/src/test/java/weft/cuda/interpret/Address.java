package weft.cuda.interpret;

/**
 * A place in memory as an operand names it.
 *
 * @param register where the register lies that it begins at, or −1
 * @param offset bytes beyond it
 */
record Address(boolean isShared, int register, int offset) {
  static Address parse(String operand, boolean isShared, Slots slots) {
    if (!operand.startsWith("[")) throw slots.problem(operand + " is no place in memory");
    var inner = operand.substring(1, operand.length() - 1).replace(" ", "");
    int plus = inner.indexOf('+');
    int cut = plus >= 0 ? plus : inner.indexOf('-', 1);
    var base = cut < 0 ? inner : inner.substring(0, cut);
    int sign = cut >= 0 && inner.charAt(cut) == '+' ? 1 : 0;
    int offset = cut < 0 ? 0 : (int) slots.whole(inner.substring(cut + sign));
    int register = isShared ? slots.word(base, "u32") : slots.wide(base, "u64");
    return new Address(isShared, register, offset);
  }

  long of(Warp warp, int lane) {
    return isShared ? warp.words[register + lane] + offset : warp.wides[register + lane] + offset;
  }

  int sharedOf(Warp warp, int lane) {
    return warp.words[register + lane] + offset;
  }
}
