package weft.cuda.interpret;

import java.util.ArrayList;
import java.util.List;

/**
 * One instruction as text.
 *
 * @param guard the register before it, or nothing
 */
record Statement(
    int line,
    String text,
    String guard,
    boolean isNegated,
    String mnemonic,
    List<String> operands) {
  static Statement parse(int line, String text) {
    var rest = text;
    var guard = "";
    boolean isNegated = false;
    if (rest.startsWith("@")) {
      int end = rest.indexOf(' ');
      isNegated = rest.charAt(1) == '!';
      guard = rest.substring(isNegated ? 2 : 1, end);
      rest = rest.substring(end).strip();
    }
    int space = rest.indexOf(' ');
    var mnemonic = space < 0 ? rest : rest.substring(0, space);
    var operands = space < 0 ? List.<String>of() : split(rest.substring(space));
    return new Statement(line, text, guard, isNegated, mnemonic, operands);
  }

  /** What lies between commas that are in no braces or brackets. */
  static List<String> split(String list) {
    var parts = new ArrayList<String>();
    int depth = 0;
    int from = 0;
    for (int i = 0; i < list.length(); i++) {
      switch (list.charAt(i)) {
        case '{', '[' -> depth++;
        case '}', ']' -> depth--;
        case ',' -> {
          if (depth == 0) {
            parts.add(list.substring(from, i).strip());
            from = i + 1;
          }
        }
        default -> {}
      }
    }
    parts.add(list.substring(from).strip());
    return List.copyOf(parts);
  }

  /** Whether the mnemonic has this word between its points. */
  boolean has(String word) {
    return (mnemonic + ".").contains("." + word + ".");
  }

  /** The last word of the mnemonic: its type. */
  String type() {
    return mnemonic.substring(mnemonic.lastIndexOf('.') + 1);
  }

  String operand(int index) {
    return operands.get(index);
  }
}
