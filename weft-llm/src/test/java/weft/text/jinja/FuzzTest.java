package weft.text.jinja;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.time.Clock;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/**
 * Mutated templates and random tokens: they render or fail with the declared exception, nothing
 * else.
 */
final class FuzzTest {
  private static final Limits TIGHT =
      new Limits(20_000, 500, 1L << 20, 1L << 18, Duration.ofSeconds(10));

  private static final Map<String, Object> VARIABLES =
      Map.of(
          "messages",
          List.of(
              Map.of("role", "user", "content", "Hi <b>"),
              Map.of("role", "assistant", "content", "")),
          "tools",
          List.of(Map.of("name", "f", "parameters", Map.of("type", "object"))),
          "s",
          "Grüße 😀 x",
          "n",
          7,
          "x",
          2.5);

  private static final String CHAT =
      """
      {%- macro item(value, name='v', depth=1) -%}{{ caller(1) if caller and depth == 1 }}
        {%- if value is mapping -%}{ {%- for k, v in value|dictsort -%}{{ k }}: {{ item(v, depth=depth + 1) }}
          {%- if not loop.last %}, {% endif %}{%- endfor -%} }
        {%- elif value is iterable and value is not string -%}[{{ value | map('string') | join(', ') }}]
        {%- else -%}{{ '%-10s|%05.2f' % (value, x) if value is string else value|tojson(indent=2) }}{%- endif -%}
      {%- endmacro -%}
      {% set ns = namespace(found=false, text='', index=messages|length - 1) %}
      {%- for m in messages[::-1] if m.role != 'system' recursive %}
      {% set ns.text = ns.text ~ (m.content.split('<b>')[-1].lstrip('\\n') if '<b>' in m['content'] else m.content | trim) %}
      {{- loop.index }}/{{ loop.length }} {{ (loop.previtem or {}).role | default('-') }} {{ loop.cycle('a', 'b') -}}
      {% if loop.first and not ns.found %}{% set ns.found = true %}{% continue %}{% elif n // 2 > 3 %}{% break %}{% endif %}
      {% else %}nothing{% endfor %}
      {% call(a, b=2) item({'k': [1, 2.5, none, true]}) %}{{ a ~ b }}{% endcall %}
      {% filter upper | replace('A', s[1:-1:2]) %}{{ "{:>8}|{!r}".format(s, n) }}{% raw %}{{ no }}{% endraw %}{% endfilter %}
      {% with a = 1, b = [x, n] %}{{ a in b or b|sum ** 2 }}{{ (b|sort(reverse=true))[0] }}{% endwith %}
      {%- set block %}{{ tools | selectattr('name', 'equalto', 'f') | list | tojson }}{% endset -%}
      {{ block[:20] }}{# note -#} {{ strftime_now('%Y-%m-%d') | length }}{{ raise_exception('no') if ns.index > 5 }}
      """;

  private static final List<String> TOKENS =
      List.of(
          "{{",
          "}}",
          "{%",
          "%}",
          "{%-",
          "-%}",
          "{#",
          "#}",
          "{% raw %}",
          "{% endraw %}",
          "for",
          "in",
          "if",
          "else",
          "elif",
          "endif",
          "endfor",
          "set",
          "endset",
          "macro",
          "endmacro",
          "call",
          "endcall",
          "filter",
          "endfilter",
          "with",
          "endwith",
          "generation",
          "endgeneration",
          "break",
          "continue",
          "recursive",
          "block",
          "endblock",
          "is",
          "not",
          "and",
          "or",
          "defined",
          "none",
          "true",
          "loop",
          "loop.index",
          "loop(x)",
          "namespace",
          "range",
          "ns",
          "messages",
          "tools",
          "s",
          "n",
          "x",
          "caller()",
          "varargs",
          "kwargs",
          "(",
          ")",
          "[",
          "]",
          "{",
          "}",
          ",",
          ":",
          ".",
          "|",
          "~",
          "+",
          "-",
          "*",
          "/",
          "//",
          "%",
          "**",
          "==",
          "!=",
          "<",
          ">",
          "<=",
          ">=",
          "=",
          "1",
          "0",
          "2.5",
          "1e400",
          "999999999999999999999",
          "'a'",
          "\"b\"",
          "'%s'",
          "'{}'",
          "'\\x'",
          "'",
          "\"",
          "\\",
          "é",
          "😀",
          "upper",
          "join",
          "map",
          "select",
          "groupby",
          "sort",
          "tojson",
          "indent",
          "batch",
          "slice",
          "format",
          "int",
          "round",
          "default",
          "items",
          "split",
          "replace",
          "strip",
          "get",
          "keys",
          "format_map",
          "\n",
          " ",
          "\t");

  @Test
  void theSeedItselfRenders() {
    assertThat(Template.compile(CHAT).render(VARIABLES, Limits.DEFAULT, Clock.systemUTC()))
        .contains("{k: [1, 2.5, None, True]}");
  }

  @Test
  void mutatedTemplatesOnlyFailAsDeclared() {
    Random random = new Random(1);
    for (int i = 0; i < 1_500; i++) {
      run(mutated(random, CHAT));
    }
  }

  @Test
  void tokenSoupOnlyFailsAsDeclared() {
    Random random = new Random(2);
    for (int i = 0; i < 3_000; i++) {
      StringBuilder soup = new StringBuilder();
      for (int j = random.nextInt(25); j >= 0; j--) {
        soup.append(TOKENS.get(random.nextInt(TOKENS.size())))
            .append(random.nextInt(3) == 0 ? "" : " ");
      }
      run(random.nextBoolean() ? "{{ " + soup + " }}" : soup.toString());
    }
  }

  @Test
  void everyFilterTestAndMethodTakesAnyArgumentsOrFailsAsDeclared() {
    Random random = new Random(3);
    List<String> names =
        java.util.stream.Stream.of(
                TextFilters.ALL,
                WrapFilters.ALL,
                NumberFilters.ALL,
                SequenceFilters.ALL,
                OrderFilters.ALL,
                SelectFilters.ALL)
            .flatMap(filters -> filters.keySet().stream())
            .sorted()
            .toList();
    List<String> methods = StringMethods.ALL.keySet().stream().sorted().toList();
    List<String> values =
        List.of(
            "s",
            "n",
            "x",
            "none",
            "true",
            "messages",
            "tools[0]",
            "zz",
            "range(5)",
            "(s|safe)",
            "-3",
            "10**30",
            "''",
            "[]",
            "{}",
            "(1, 'a')",
            "[3, 1.5, true]",
            "messages|map(attribute='role')",
            "tools[0].items()",
            "1e308 * 10",
            "namespace(a=1)",
            "'%d {} a,b'",
            "s.upper",
            "'role'",
            "'upper'");
    for (int i = 0; i < 5_000; i++) {
      StringBuilder call = new StringBuilder("{{ (").append(pick(random, values)).append(')');
      boolean method = random.nextInt(3) == 0;
      call.append(method ? "." : "|").append(pick(random, method ? methods : names)).append('(');
      int count = random.nextInt(4);
      for (int j = 0; j < count; j++) {
        call.append(j > 0 ? ", " : "").append(pick(random, values));
      }
      run(call.append(")|list|string|length }}").toString());
      run(call.toString().replace("|list|string|length", ""));
    }
  }

  private static String pick(Random random, List<String> from) {
    return from.get(random.nextInt(from.size()));
  }

  private static String mutated(Random random, String seed) {
    StringBuilder text = new StringBuilder(seed);
    for (int i = random.nextInt(4); i >= 0 && !text.isEmpty(); i--) {
      int at = random.nextInt(text.length());
      switch (random.nextInt(5)) {
        case 0 -> text.delete(at, Math.min(text.length(), at + 1 + random.nextInt(10)));
        case 1 -> text.insert(at, pick(random, TOKENS));
        case 2 -> text.setCharAt(at, (char) random.nextInt(0x250));
        case 3 -> {
          int from = random.nextInt(text.length());
          text.insert(at, text.substring(from, Math.min(text.length(), from + random.nextInt(60))));
        }
        default -> text.setLength(Math.max(1, at));
      }
    }
    return text.toString();
  }

  private static void run(String source) {
    try {
      Template.compile(source).render(VARIABLES, TIGHT, Clock.systemUTC());
    } catch (TemplateException declared) {
      assertThat(declared.line()).isPositive();
      assertThat(declared.column()).isPositive();
    } catch (RuntimeException | Error undeclared) {
      fail(
          "not a TemplateException but "
              + undeclared
              + " at "
              + Arrays.stream(undeclared.getStackTrace()).limit(4).toList()
              + " from:\n"
              + source,
          undeclared);
    }
  }
}
