package weft.cuda.ptx;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A function as it grows: its parameters, memory, registers and lines. */
final class Listing {
  private static final String INDENT = "  ";

  /** Where comments behind instructions begin, so that they are a column of their own. */
  private static final int COMMENT_COLUMN = 68;

  private final String name;
  private final List<String> outside = new ArrayList<>();
  private final List<String> parameters = new ArrayList<>();
  private final List<String> directives = new ArrayList<>();
  private final List<String> memory = new ArrayList<>();
  private final List<String> lines = new ArrayList<>();
  private final Map<Reg.Kind, Integer> counts = new EnumMap<>(Reg.Kind.class);
  private final Map<Reg.Kind, List<String>> named = new EnumMap<>(Reg.Kind.class);
  private final Map<String, Integer> uses = new HashMap<>();
  private int depth = 1;
  private String guard = "";

  Listing(String name) {
    this.name = name;
  }

  static Operand[] with(Operand to, Operand... from) {
    var all = new Operand[from.length + 1];
    all[0] = to;
    System.arraycopy(from, 0, all, 1, from.length);
    return all;
  }

  String name() {
    return name;
  }

  String register(Reg.Kind kind) {
    return kind.prefix() + (counts.merge(kind, 1, Integer::sum) - 1);
  }

  /** A register with a name of its own; the second of a name gets a number. */
  String register(Reg.Kind kind, String wanted) {
    var unique = "%" + unique(wanted);
    named.computeIfAbsent(kind, _ -> new ArrayList<>()).add(unique);
    return unique;
  }

  /** The word itself at first, then with a number behind it: for labels and registers. */
  String unique(String wanted) {
    int use = uses.merge(wanted, 1, Integer::sum);
    return use == 1 ? wanted : wanted + "_" + use;
  }

  void outside(String line) {
    outside.add(line);
  }

  void parameter(String type, String parameter) {
    parameters.add(INDENT + ".param ." + type + " " + parameter);
  }

  void directive(String line) {
    directives.add(line);
  }

  void memory(String line) {
    memory.add(INDENT + line);
  }

  void line(String text) {
    lines.add(INDENT.repeat(depth) + guard + text);
  }

  void instruction(String mnemonic, Operand... operands) {
    // Loops, not streams: a load writes thousands of lines before anything of it is compiled.
    var text = new StringBuilder(mnemonic);
    for (int i = 0; i < operands.length; i++) {
      text.append(i == 0 ? " " : ", ").append(operands[i].text());
    }
    line(text.append(';').toString());
  }

  void note(String text) {
    lines.add(INDENT.repeat(depth) + "// " + text);
  }

  /** A comment behind the last line. */
  void remark(String text) {
    var last = lines.removeLast();
    lines.add(last + " ".repeat(Math.max(1, COMMENT_COLUMN - last.length())) + "// " + text);
  }

  void label(String label) {
    lines.add(INDENT.repeat(depth - 1) + label + ":");
  }

  void deeper(Runnable body) {
    depth++;
    body.run();
    depth--;
  }

  void guarded(String by, Runnable body) {
    if (!guard.isEmpty()) {
      throw new IllegalStateException(
          name + ": a guarded instruction cannot be guarded again by " + by + "; join the guards");
    }
    guard = "@" + by + " ";
    body.run();
    guard = "";
  }

  boolean isGuarded() {
    return !guard.isEmpty();
  }

  String text() {
    var text = new StringBuilder();
    outside.forEach(line -> text.append(line).append('\n'));
    text.append(".visible .entry ").append(name).append("(\n");
    text.append(String.join(",\n", parameters)).append("\n)\n");
    directives.forEach(line -> text.append(line).append('\n'));
    text.append("{\n");
    for (var kind : Reg.Kind.values()) {
      named
          .getOrDefault(kind, List.of())
          .forEach(r -> text.append(INDENT).append(".reg " + kind.directive() + " " + r + ";\n"));
      int count = counts.getOrDefault(kind, 0);
      if (count > 0) {
        var numbered = kind.prefix() + "<" + count + ">";
        text.append(INDENT).append(".reg " + kind.directive() + " " + numbered + ";\n");
      }
    }
    memory.forEach(line -> text.append(line).append('\n'));
    if (lines.stream().noneMatch(line -> line.contains("griddepcontrol.wait"))) {
      text.append(INDENT).append("griddepcontrol.wait;\n");
    }
    lines.forEach(line -> text.append(line).append('\n'));
    return text.append("}\n").toString();
  }
}
