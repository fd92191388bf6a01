package weft.cuda.interpret;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import weft.cuda.interpret.ParsedKernel.Parameter;
import weft.cuda.interpret.ParsedKernel.SharedPiece;

/** Reads the text that a driver would get: nothing is known of how it was written. */
final class PtxParser {
  private static final Pattern SHARED =
      Pattern.compile("\\.shared (?:\\.align (\\d+) )?\\.(\\w+) ([\\w$%]+)(?:\\[(\\d*)\\])?");
  private static final Pattern NUMBERED = Pattern.compile("([\\w$%]+)<(\\d+)>");
  private static final Pattern LABEL = Pattern.compile("([A-Za-z_$][\\w$]*):");
  private static final Pattern ENTRY =
      Pattern.compile("(?:\\.visible )?\\.entry ([\\w$]+) ?\\((.*?)\\)(.*)");
  private static final Pattern PARAMETER = Pattern.compile("\\.param \\.(\\w+) ([\\w$]+)");
  private static final Pattern MOST_THREADS = Pattern.compile("\\.maxntid (\\d+)");

  private final String text;
  private int at;
  private int counted;
  private int line = 1;
  private final List<SharedPiece> outside = new ArrayList<>();

  private PtxParser(String text) {
    this.text = text;
  }

  /** The kernels of a module, by their names. */
  static Map<String, ParsedKernel> parse(String text) {
    var bare = Pattern.compile("//[^\n]*").matcher(text).replaceAll("");
    return new PtxParser(bare).module();
  }

  private Map<String, ParsedKernel> module() {
    var kernels = new LinkedHashMap<String, ParsedKernel>();
    for (var word : List.of(".version", ".target", ".address_size")) {
      if (!text.contains(word)) throw new PtxFault("a module must say its " + word);
    }
    while (skipSpace()) {
      if (text.startsWith(".version", at)
          || text.startsWith(".target", at)
          || text.startsWith(".address_size", at)) {
        int end = text.indexOf('\n', at);
        at = end < 0 ? text.length() : end;
      } else if (text.startsWith(".extern", at)) {
        outside.add(shared(upTo(';')));
      } else {
        var kernel = kernel();
        if (kernels.put(kernel.name(), kernel) != null) {
          throw new PtxFault("kernel " + kernel.name() + " is defined twice");
        }
      }
    }
    return kernels;
  }

  private SharedPiece shared(String declaration) {
    var m = SHARED.matcher(declaration);
    if (!m.find()) throw problem("not a declaration of shared memory: " + declaration);
    int size = Slots.bits(m.group(2)) / 8;
    int multiple = m.group(1) == null ? size : Integer.parseInt(m.group(1));
    int count = m.group(4) == null ? 1 : m.group(4).isEmpty() ? -1 : Integer.parseInt(m.group(4));
    return new SharedPiece(m.group(3), count < 0 ? -1 : count * size, multiple);
  }

  private ParsedKernel kernel() {
    var header = ENTRY.matcher(upTo('{'));
    if (!header.matches()) throw problem("neither an entry nor a known declaration");
    var parameters = new ArrayList<Parameter>();
    for (Matcher m = PARAMETER.matcher(header.group(2)); m.find(); ) {
      parameters.add(new Parameter(m.group(2), m.group(1)));
    }
    var most = MOST_THREADS.matcher(header.group(3));
    int mostThreads = most.find() ? Integer.parseInt(most.group(1)) : 1024;
    var registers = new HashMap<String, String>();
    var shared = new ArrayList<>(outside);
    var labels = new HashMap<String, Integer>();
    var statements = new ArrayList<Statement>();
    while (true) {
      if (!skipSpace()) throw problem("kernel " + header.group(1) + " has no end");
      if (text.charAt(at) == '}') {
        at++;
        break;
      }
      var label = LABEL.matcher(text).region(at, text.length());
      if (label.lookingAt()) {
        if (labels.put(label.group(1), statements.size()) != null) {
          throw problem("label " + label.group(1) + " is there twice");
        }
        at = label.end();
        continue;
      }
      int line = line();
      var statement = upTo(';');
      if (statement.startsWith(".reg ")) {
        declare(registers, statement.substring(5));
      } else if (statement.startsWith(".shared ")) {
        shared.add(shared(statement));
      } else {
        statements.add(Statement.parse(line, statement));
      }
    }
    return new ParsedKernel(
        header.group(1), parameters, registers, shared, labels, statements, mostThreads);
  }

  private void declare(Map<String, String> registers, String declaration) {
    int space = declaration.indexOf(' ');
    var type = declaration.substring(1, space);
    for (var name : Statement.split(declaration.substring(space))) {
      var m = NUMBERED.matcher(name);
      if (m.matches()) {
        for (int i = 0; i < Integer.parseInt(m.group(2)); i++) {
          registers.put(m.group(1) + i, type);
        }
      } else if (registers.put(name, type) != null) {
        throw problem("register " + name + " is declared twice");
      }
    }
  }

  private boolean skipSpace() {
    while (at < text.length() && Character.isWhitespace(text.charAt(at))) at++;
    return at < text.length();
  }

  /** The text before this character, with single spaces. */
  private String upTo(char end) {
    int found = text.indexOf(end, at);
    if (found < 0) throw problem("no " + end + " follows");
    var part = text.substring(at, found).strip().replaceAll("\\s+", " ");
    at = found + 1;
    return part;
  }

  private int line() {
    while (counted < at) {
      if (text.charAt(counted++) == '\n') line++;
    }
    return line;
  }

  private PtxFault problem(String what) {
    return new PtxFault("line " + line() + ": " + what);
  }
}
