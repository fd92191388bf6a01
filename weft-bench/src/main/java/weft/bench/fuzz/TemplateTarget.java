package weft.bench.fuzz;

import java.nio.charset.StandardCharsets;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import weft.text.jinja.Limits;
import weft.text.jinja.Template;
import weft.text.jinja.TemplateException;

/** Chat templates: they render, the same twice, or fail with a place in their source. */
final class TemplateTarget implements Target {
  private static final Limits LIMITS =
      new Limits(20_000, 500, 1L << 20, 1L << 18, Duration.ofSeconds(10));
  private static final Clock CLOCK = Clock.fixed(Instant.EPOCH, ZoneOffset.UTC);

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
      {%- for m in messages[::-1] if m.role != 'system' %}
      {% set ns.text = ns.text ~ (m.content.split('<b>')[-1].lstrip('\\n') if '<b>' in m['content'] else m.content | trim) %}
      {{- loop.index }}/{{ loop.length }} {{ (loop.previtem or {}).role | default('-') }} {{ loop.cycle('a', 'b') -}}
      {% if loop.first and not ns.found %}{% set ns.found = true %}{% continue %}{% elif n // 2 > 3 %}{% break %}{% endif %}
      {% else %}nothing{% endfor %}
      {% call(a, b=2) item({'k': [1, 2.5, none, true]}) %}{{ a ~ b }}{% endcall %}
      {% filter upper | replace('A', s[1:-1:2]) %}{{ "{:>8}|{:05}".format(s, n) }}{% raw %}{{ no }}{% endraw %}{% endfilter %}
      {% with a = 1, b = [x, n] %}{{ a in b or b|sum ** 2 }}{{ (b|sort(reverse=true))[0] }}{% endwith %}
      {%- set block %}{{ tools | selectattr('name', 'equalto', 'f') | list | tojson }}{% endset -%}
      {{ block[:20] }}{# note -#} {{ strftime_now('%Y-%m-%d') | length }}{{ raise_exception('no') if ns.index > 5 }}
      """;

  private static final List<String> FILTERS =
      List.of(
          "abs",
          "capitalize",
          "default",
          "dictsort",
          "e",
          "escape",
          "first",
          "float",
          "format",
          "indent",
          "int",
          "items",
          "join",
          "last",
          "length",
          "list",
          "lower",
          "map",
          "max",
          "min",
          "reject",
          "rejectattr",
          "replace",
          "reverse",
          "round",
          "safe",
          "select",
          "selectattr",
          "sort",
          "string",
          "sum",
          "title",
          "tojson",
          "trim",
          "unique",
          "upper");

  private static final List<String> METHODS =
      List.of(
          "capitalize",
          "count",
          "encode",
          "endswith",
          "find",
          "format",
          "get",
          "index",
          "isalnum",
          "isalpha",
          "isdigit",
          "islower",
          "isspace",
          "isupper",
          "items",
          "join",
          "keys",
          "lower",
          "lstrip",
          "partition",
          "removeprefix",
          "removesuffix",
          "replace",
          "rfind",
          "rpartition",
          "rsplit",
          "rstrip",
          "split",
          "splitlines",
          "startswith",
          "strip",
          "swapcase",
          "title",
          "translate",
          "upper",
          "values");

  private static final List<String> OPERANDS =
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
          "range(10**9)",
          "(s|safe)",
          "-3",
          "10**18",
          "99999999999999999999",
          "''",
          "[]",
          "{}",
          "(1, 'a')",
          "[3, 1.5, true]",
          "'ß'*4000",
          "messages|map(attribute='role')",
          "tools[0].items()",
          "1e308 * 10",
          "namespace(a=1)",
          "'%d {} a,b'",
          "s.upper",
          "'role'",
          "'upper'",
          "[s]*99",
          "'a b '*500",
          "9**9",
          "loop",
          "'\\t\\n'",
          "'%-999999999s'",
          "'{:>999999999}'",
          "'{n:,.3f}'");

  private static final TextMutation WORDS =
      new TextMutation(
          Stream.of(
                  Stream.of(
                      "{{ ",
                      " }}",
                      "{% ",
                      " %}",
                      "{%- ",
                      " -%}",
                      "{#",
                      "#}",
                      "{% raw %}",
                      "{% endraw %}",
                      "for ",
                      " in ",
                      "if ",
                      "else ",
                      "elif ",
                      "endif",
                      "endfor",
                      "set ",
                      "endset",
                      "macro ",
                      "endmacro",
                      "call ",
                      "endcall",
                      "filter ",
                      "endfilter",
                      "with ",
                      "endwith",
                      "generation",
                      "endgeneration",
                      "break",
                      "continue",
                      " is ",
                      " not ",
                      " and ",
                      " or ",
                      "defined",
                      "loop.index",
                      "loop.cycle(",
                      "namespace(",
                      "dict(",
                      "lipsum(",
                      "strftime_now(",
                      "raise_exception(",
                      "caller()",
                      "varargs",
                      "kwargs",
                      "(",
                      ")",
                      "[",
                      "]",
                      "[::-1]",
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
                      "'%s'",
                      "'{}'",
                      "'\\x'",
                      "'",
                      "\"",
                      "\\",
                      "é",
                      "😀",
                      "\n",
                      " ",
                      "\t",
                      "{% for a in range(99) %}",
                      "{% for b in s %}",
                      "{% endfor %}"),
                  FILTERS.stream().map(name -> "|" + name + "("),
                  METHODS.stream().map(name -> "." + name + "("),
                  OPERANDS.stream())
              .flatMap(words -> words)
              .toList());

  @Override
  public String name() {
    return "template";
  }

  @Override
  public List<byte[]> seeds() {
    return Stream.concat(
            Stream.of(CHAT, "{{ s }}"),
            FILTERS.stream().map(name -> "{{ (s)|" + name + "(n) }}{{ messages|" + name + " }}"))
        .map(text -> text.getBytes(StandardCharsets.UTF_8))
        .toList();
  }

  @Override
  public byte[] mutate(byte[] input, byte[] other, Draw draw) {
    return draw.oneIn(4)
        ? call(draw).getBytes(StandardCharsets.UTF_8)
        : WORDS.mutate(input, other, draw);
  }

  /** Any filter or method of any operand with any arguments. */
  private static String call(Draw draw) {
    var call = new StringBuilder("{{ (").append(draw.of(OPERANDS)).append(')');
    for (int i = draw.below(2); i >= 0; i--) {
      boolean isMethod = draw.oneIn(3);
      call.append(isMethod ? '.' : '|').append(draw.of(isMethod ? METHODS : FILTERS)).append('(');
      int count = draw.below(4);
      for (int j = 0; j < count; j++) call.append(j > 0 ? ", " : "").append(draw.of(OPERANDS));
      call.append(')');
    }
    return call.append(draw.oneIn(2) ? " }}" : "|list|string|length }}").toString();
  }

  @Override
  public void run(byte[] input) {
    var template = Template.compile(new String(input, StandardCharsets.UTF_8));
    var once = rendered(template);
    if (!once.equals(rendered(template))) {
      throw new Violation("the template renders another text the second time");
    }
  }

  private static String rendered(Template template) {
    try {
      return template.render(VARIABLES, LIMITS, CLOCK);
    } catch (TemplateException e) {
      if (e.line() < 1 || e.column() < 1) throw new Violation("no place in " + e.getMessage());
      return "refused: " + e.getMessage();
    }
  }

  @Override
  public boolean declares(RuntimeException failure) {
    return failure instanceof TemplateException;
  }
}
