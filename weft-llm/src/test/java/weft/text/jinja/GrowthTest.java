package weft.text.jinja;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.classfile.ClassFile;
import java.lang.classfile.constantpool.MemberRefEntry;
import java.lang.classfile.constantpool.PoolEntry;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Whatever a rendering builds is paid for first: who may build, and how much is really taken. */
class GrowthTest {
  private static final Path CLASSES = Path.of("target", "classes", "weft", "text", "jinja");

  /** What makes a text longer than those it is made of, or a list longer than one. */
  private static final Predicate<String> GROWS =
      Pattern.compile(
              "java/lang/String(Builder|Buffer)\\.<init>"
                  + "|java/lang/String\\.(join|repeat|replace\\w*|concat|format\\w*|split|indent)"
                  + "|java/lang/String\\.to(Upper|Lower)Case"
                  + "|java/util/StringJoiner\\..*"
                  + "|java/util/stream/Collectors\\..*"
                  + "|java/util/stream/\\w*Stream\\.(toList|toArray|collect)"
                  + "|java/util/Collections\\.nCopies"
                  + "|java/util/(Array|Linked)(List|Deque)\\.<init>"
                  + "|java/util/(Linked)?Hash(Map|Set)\\.<init>"
                  + "|java/util/Tree(Map|Set)\\.<init>")
          .asMatchPredicate();

  /** Those who read a template, which has its own length, before anything is rendered. */
  private static final Set<String> READERS =
      Set.of(
          "Analysis",
          "Capitals",
          "Escapes",
          "ExpressionParser",
          "Filters",
          "Lexer",
          "Node",
          "Source",
          "StatementParser",
          "TargetParser",
          "Template",
          "TemplateException",
          "Tokens",
          "Values");

  /** Those who may build while rendering, and why it is paid for. */
  private static final Map<String, String> BUILDERS =
      Map.ofEntries(
          Map.entry("TextBuilder", "it is who pays for text"),
          Map.entry("Items", "it is who pays for lists"),
          Map.entry("Dict", "it pays for its entries and the parts of their keys"),
          Map.entry("Run", "what is written is paid for by write and release"),
          Map.entry("Frame", "variables of a block, paid for where a macro keeps them"),
          Map.entry("Actuals", "keywords as written, or paid for as they are spread"),
          Map.entry("Arguments", "the keywords of a call once more"),
          Map.entry("Macro", "the keywords of a call once more; names of its parameters"),
          Map.entry("Scope", "names of a block as written"),
          Map.entry("Expression", "parts as written"),
          Map.entry("Statement", "parts as written"),
          Map.entry("LoopBody", "parts as written"),
          Map.entry("Target", "as many values as there are names"),
          Map.entry("AttributePath", "a path has its own length"),
          Map.entry("Characters", "case changes no length here; lines and sets pay by the item"),
          Map.entry("Comparison", "as many numbers as were paid for, sorted"),
          Map.entry("StringSplit", "pays by the item"),
          Map.entry("OrderFilters", "the keys that were seen, which are paid for"),
          Map.entry("TextFilters", "the one argument of trim"),
          Map.entry("Printer", "the start of a text, for a message"),
          Map.entry("RealText", "digits, paid for by the precision that asks for them"),
          Map.entry("FormatSpec", "a message"),
          Map.entry("Methods", "the name of a method"),
          Map.entry("Strftime", "a format has its own length"),
          Map.entry("Limits", "a message"),
          Map.entry("Arithmetic", "a message"),
          Map.entry("StringMethods", "a message"));

  private static final Limits LIMITS =
      new Limits(50_000, 2_000, 1 << 20, 1 << 18, Duration.ofMinutes(1));

  /** What may be taken for each byte that is paid for: copies, objects around them, garbage. */
  private static final int TIMES = 24;

  @Test
  void onlyThoseWhoPayBuild() throws IOException {
    var found = new TreeSet<String>();
    try (Stream<Path> files = Files.list(CLASSES)) {
      for (Path file : files.filter(f -> f.toString().endsWith(".class")).toList()) {
        String name = file.getFileName().toString().replaceAll("(\\$.*)?\\.class$", "");
        if (!READERS.contains(name) && !BUILDERS.containsKey(name) && builds(file)) {
          found.add(name);
        }
      }
    }
    assertThat(found).as("use TextBuilder, Items or Dict, which pay before they grow").isEmpty();
  }

  private static boolean builds(Path file) throws IOException {
    Iterable<PoolEntry> pool = ClassFile.of().parse(file).constantPool();
    return StreamSupport.stream(pool.spliterator(), false)
        .filter(MemberRefEntry.class::isInstance)
        .map(MemberRefEntry.class::cast)
        .map(entry -> entry.owner().asInternalName() + "." + entry.name().stringValue())
        .anyMatch(GROWS);
  }

  @Test
  void noFilterAndNoMethodTakesMuchMoreThanItPaysFor() {
    var calls = new ArrayList<String>();
    for (String arguments :
        List.of(
            "", "(1)", "(10**9)", "('x' * 9999)", "('a', 'x' * 9999)", "(1, true, 'x' * 999)")) {
      Filters.ALL.keySet().forEach(name -> calls.add(" | " + name + arguments));
      if (!arguments.isEmpty()) {
        StringMethods.ALL.keySet().forEach(name -> calls.add("." + name + arguments));
      }
    }
    StringMethods.ALL.keySet().forEach(name -> calls.add("." + name + "()"));
    for (String call : calls) {
      for (String unit : List.of("'a '", "'ß'", "'\\x01Σ'", "'😀\\t\\n'", "'&<'")) {
        assertSmall("{% set s = " + unit + " * 9000 %}{% set t = s" + call + " %}{{ t | string }}");
      }
      if (call.startsWith(" |")) {
        assertSmall("{% set t = range(2000)" + call + " %}{{ t | list }}");
        assertSmall("{% set t = [('ß' * 999, 'x')] * 999" + call + " %}{{ t | list }}");
        assertSmall("{% set t = {'a': ['ß' * 9999] * 99}" + call + " %}{{ t | list }}");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ ('ß' * 99999) | upper }}",
        "{{ ('Σ' * 99999) | lower }}",
        "{{ ('ΑΣ.' * 33333).lower() }}",
        "{{ ('İ' * 99999) | lower }}",
        "{% set p = ((1,) * 98,) * 98 %}{% set ns = namespace(l=[]) %}"
            + "{% for i in range(999) %}{% set ns.l = [ns.l, {(i, p): 1}] %}{% endfor %}",
        "{% set ns = namespace(l=1) %}{% for i in range(9999) %}{% set ns.l = namespace(a=ns.l) %}{% endfor %}",
        "{% set ns = namespace(l=[]) %}{% for i in range(9999) %}{% set ns.l = ns.l | map('int') %}{% endfor %}",
        "{% set ns = namespace(l=[]) %}{% macro f() %}{% set ns.l = [ns.l, varargs] %}{% endmacro %}"
            + "{% for i in range(9999) %}{{ f(1, 2, 3, 4, 5, 6, 7, 8, 9, 1, 2, 3, 4, 5, 6, 7, 8, 9) }}{% endfor %}",
        "{{ range(9999) | sort(attribute='a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a,a') }}",
        "{{ ('é' * 99999) | tojson(ensure_ascii=true) }}",
        "{{ ('😀' * 49999)[::-1] }}",
        "{{ ('x' * 99999).strip('abcdefghij' * 9999) }}",
        "{{ '%.99999f' % 1.5 }}{{ '{:.99999%}'.format(1.5) }}",
        "{{ '%99999d' % 1 }}{{ '{:>99999}'.format(1) }}{{ '{:099999}'.format(1) }}",
        "{{ ('{0}' * 9999).format('x' * 9999) }}",
        "{{ ('%s' * 9999) % ((('x' * 9999),) * 9999) }}",
        "{{ [[[[['x' * 999] * 99] * 99] * 99] * 99] | string }}",
        "{{ {'a': {'b': ['x' * 999] * 9999}} | tojson(indent=9999) }}"
      })
  void whatTookMemoryOnceIsPaidFor(String source) {
    assertSmall(source);
  }

  @Test
  void framesThatMacrosKeepArePaidFor() {
    var names = new StringBuilder();
    for (int i = 0; i < 2000; i++) {
      names.append("{{ n").append(i).append(" }}");
    }
    assertSmall(
        "{% set ns = namespace(l=[]) %}{% for i in range(9999) %}{% if false %}"
            + names
            + "{% endif %}{% macro m() %}{% endmacro %}{% set ns.l = [ns.l, m] %}{% endfor %}");
  }

  private static void assertSmall(String source) {
    var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    Template template = Template.compile(source);
    long before = threads.getCurrentThreadAllocatedBytes();
    try {
      template.render(Map.of(), LIMITS, Clock.systemUTC());
    } catch (TemplateException expected) {
      assertThat(expected.kind()).isNotEqualTo(TemplateException.Kind.SYNTAX);
    }
    assertThat(threads.getCurrentThreadAllocatedBytes() - before)
        .as(source.length() > 300 ? source.substring(0, 300) : source)
        .isLessThan(TIMES * LIMITS.memory());
  }
}
