package weft.text.jinja;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Templates that want all the time, memory or stack there is, and get an error instead. */
final class HostileTemplateTest {
  /** Small, so that the tests are quick, and with no time limit that could hide another. */
  private static final Limits SMALL =
      new Limits(200_000, 2_000, 8L << 20, 1L << 20, Duration.ofMinutes(1));

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}",
        "{% for i in range(99999) %}{% for j in range(99999) %}x{% endfor %}{% endfor %}",
        "{% macro f(n) %}{% if n < 60 %}{{ f(n + 1) }}{{ f(n + 1) }}{% endif %}{% endmacro %}{{ f(0) }}",
        "{% for i in range(99999) %}{{ range(99999) | sum }}{% endfor %}",
        "{% for i in range(99999) %}{{ 0.5 in range(99999) }}{% endfor %}",
        "{% set s = 'a' * 500000 %}{% for i in range(99999) %}{{ s.isalpha() }}{% endfor %}",
        "{% set s = 'a' * 500000 %}{% for i in range(99999) %}{{ s | length }}{% endfor %}",
        "{% set s = 'a' * 500000 %}{% for i in range(99999) %}{{ 'b' in s }}{% endfor %}",
        "{% set s = 'a' * 500000 %}{% for i in range(99999) %}{{ s == s ~ '' }}{% endfor %}",
        "{% for i in range(99999) %}{{ strftime_now('%c' * 400) | length }}{% endfor %}"
      })
  void stopsWhatRunsTooLong(String source) {
    assertThat(failure(source)).isEqualTo(TemplateException.Kind.LIMIT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}",
        "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}",
        "{% macro f(x=f()) %}{% endmacro %}{{ f() }}",
        "{% macro f() %}{% call f() %}{{ caller() }}{% endcall %}{% endmacro %}{{ f() }}",
        "{% set ns = namespace(v=[]) %}{% for i in range(9999) %}{% set ns.v = [ns.v] %}{% endfor %}{{ ns.v }}",
        "{% set ns = namespace(v=[]) %}{% for i in range(9999) %}{% set ns.v = {'a': ns.v} %}{% endfor %}"
            + "{{ ns.v | tojson }}",
        "{% set ns = namespace(v=[], w=[]) %}{% for i in range(9999) %}{% set ns.v = [ns.v] %}"
            + "{% set ns.w = [ns.w] %}{% endfor %}{{ ns.v == ns.w }}",
        "{% set ns = namespace(v=[1], w=[2]) %}{% for i in range(9999) %}{% set ns.v = [ns.v] %}"
            + "{% set ns.w = [ns.w] %}{% endfor %}{{ ns.v < ns.w }}",
        "{% set ns = namespace(v=()) %}{% for i in range(9999) %}{% set ns.v = (ns.v,) %}{% endfor %}{{ {ns.v: 1} }}",
        "{% set ns = namespace(v=()) %}{% for i in range(60) %}{% set ns.v = (ns.v, ns.v) %}{% endfor %}{{ {ns.v: 1} }}",
        "{% set ns = namespace(g=[1]) %}{% for i in range(9999) %}{% set ns.g = ns.g | map('string') %}{% endfor %}"
            + "{{ ns.g | list }}",
        "{% set ns = namespace() %}{% set ns.self = ns %}{{ ns }}"
      })
  void stopsWhatNestsTooDeep(String source) {
    assertThat(failure(source)).isEqualTo(TemplateException.Kind.LIMIT);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{{ 'x' * 10**9 }}",
        "{{ ['x'] * 10**9 }}",
        "{{ ([0] * 10000) * 10000 }}",
        "{{ range(10**9) | list }}",
        "{% set ns = namespace(s='x') %}{% for i in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
        "{% set ns = namespace(s='x') %}{% for i in range(99) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}",
        "{% set ns = namespace(s=[1]) %}{% for i in range(99) %}{% set ns.s = ns.s + ns.s %}{% endfor %}",
        "{% set ns = namespace(s=[1]) %}{% for i in range(99) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ ns.s }}",
        "{% set ns = namespace(s=[1]) %}{% for i in range(99) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}"
            + "{{ ns.s | tojson }}",
        "{% set ns = namespace(l=[]) %}{% for i in range(999) %}{% set ns.l = [ns.l, 'x' * 100000 ~ i] %}{% endfor %}",
        "{{ ('x' * 10000).join(range(10000) | map('string')) }}",
        "{{ range(10000) | join('x' * 10000) }}",
        "{{ ('a' * 10000) | replace('a', 'b' * 10000) }}",
        "{{ ('a' * 10000).replace('', 'b' * 10000) }}",
        "{{ 'a' | indent(10**9, true) }}",
        "{{ [1] | tojson(indent=10**9) }}",
        "{{ '{:999999999}'.format(1) }}",
        "{{ '%.999999999f' % 1.5 }}",
        "{{ '%.999999f' % 1.5 }}{{ '{:0999999}'.format(1) }}{{ '{:.999999%}'.format(1.5) }}",
        "{{ [1] | map(attribute='a.' * 10000) | list }}",
        "{{ ('ŉ' * 900000) | upper }}",
        "{{ ('\u0001' * 900000) | tojson }}",
        "{{ ['\u0001' * 900000] }}",
        "{{ ('<' * 900000) | e }}",
        "{{ ('a ' * 400000).split() | length }}",
        "{{ ('a\n' * 400000).splitlines() | length }}",
        "{{ ('a' * 900000) | list | length }}",
        "{% for i in range(99999) %}{{ 'x' * 1000 }}{% endfor %}",
        "{% for i in range(99999) %}{% set x %}{{ 'x' * 10000 }}{% endset %}{% endfor %}",
        "{{ 10**100000000 }}",
        "{{ 2**(2**40) }}",
        "{% set ns = namespace(n=3) %}{% for i in range(99) %}{% set ns.n = ns.n * ns.n %}{% endfor %}"
      })
  void stopsWhatBuildsTooMuch(String source) {
    assertThat(failure(source)).isEqualTo(TemplateException.Kind.LIMIT);
  }

  @Test
  void stopsAtTheTimeLimit() {
    Limits brief = new Limits(Long.MAX_VALUE, 2_000, 1L << 40, 1L << 30, Duration.ofMillis(20));
    String endless =
        "{% for i in range(99999) %}{% for j in range(99999) %}{% endfor %}{% endfor %}";
    assertThat(failure(endless, brief)).isEqualTo(TemplateException.Kind.LIMIT);
  }

  @Test
  void searchesLinearlyWhereThePlainSearchIsQuadratic() {
    Limits some = new Limits(2_000_000, 2_000, 64L << 20, 8L << 20, Duration.ofMinutes(1));
    String source =
        "{% set n = 'a' * 300000 %}{{ ('a' * 900000).find(n ~ 'b') }}{{ ('a' * 900000).rfind('b' ~ n) }}"
            + "{{ (n ~ 'b') in ('a' * 900000 ~ 'b') }}{{ ('a' * 900000).count(n) }}{{ ('a' * 900000).rsplit('b' ~ n) | length }}";
    assertThat(Template.compile(source).render(Map.of(), some, Clock.systemUTC()))
        .isEqualTo("-1-1True31");
  }

  @Test
  void refusesSourceThatNestsTooDeepWithoutOverflow() {
    for (String source :
        new String[] {
          "{{ " + "(".repeat(20_000) + "1" + ")".repeat(20_000) + " }}",
          "{{ " + "[".repeat(20_000) + "]".repeat(20_000) + " }}",
          "{{ " + "-".repeat(20_000) + "1 }}",
          "{{ " + "not ".repeat(20_000) + "1 }}",
          "{{ 1" + " + 1".repeat(20_000) + " }}",
          "{{ 1" + " if 1 else 1".repeat(10_000) + " }}",
          "{{ x" + ".a".repeat(20_000) + " }}",
          "{{ x" + "[0]".repeat(20_000) + " }}",
          "{{ x" + "()".repeat(20_000) + " }}",
          "{{ 'x'" + "|upper".repeat(20_000) + " }}",
          "{% if 1 %}".repeat(10_000),
          "{% for i in [1] %}".repeat(10_000),
          "{% macro f() %}".repeat(10_000),
          "{% for i in [1] %}".repeat(50) + "{% endfor %}".repeat(50),
          "{% set " + "(".repeat(10_000) + "a" + ")".repeat(10_000) + " = 1 %}",
          "{{ " + "9".repeat(10_000) + " }}",
          "x".repeat(300_000)
        }) {
      assertThat(failure(source))
          .as(source.substring(0, 20))
          .isIn(TemplateException.Kind.SYNTAX, TemplateException.Kind.LIMIT);
    }
  }

  @Test
  void allowsTheNestingThatTemplatesUse() {
    String source =
        "{% if 1 %}".repeat(80)
            + "{{ "
            + "(1 + ".repeat(40)
            + "1"
            + ")".repeat(40)
            + " }}"
            + "{% endif %}".repeat(80)
            + "{{ 1"
            + " + 1".repeat(300)
            + " }}"
            + "{% macro f(n) %}{% if n %}{{ f(n - 1) }}{% else %}end{% endif %}{% endmacro %}{{ f(150) }}";
    assertThat(Template.compile(source).render(Map.of(), Limits.DEFAULT, Clock.systemUTC()))
        .isEqualTo("41301end");
  }

  @Test
  void failsCleanlyOnASmallStack() throws InterruptedException {
    var kinds = new java.util.concurrent.ConcurrentLinkedQueue<TemplateException.Kind>();
    Thread small =
        new Thread(
            null,
            () ->
                kinds.add(
                    failure("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}", Limits.DEFAULT)),
            "small stack",
            160 << 10);
    small.start();
    small.join();
    assertThat(kinds).containsExactly(TemplateException.Kind.LIMIT);
  }

  @Test
  void givesALongConversationRoomForItsCopies() {
    String content = "x".repeat(3_000_000);
    String source =
        "{% set ns = namespace(all='') %}{% for m in m %}{% set ns.all = ns.all + m %}{% endfor %}{{ ns.all }}";
    var messages = java.util.List.of(content, content, content, content);
    String rendered =
        Template.compile(source).render(Map.of("m", messages), SMALL, Clock.systemUTC());
    assertThat(rendered).hasSize(4 * content.length());
  }

  private static TemplateException.Kind failure(String source) {
    return failure(source, SMALL);
  }

  private static TemplateException.Kind failure(String source, Limits limits) {
    TemplateException failure =
        catchThrowableOfType(
            TemplateException.class,
            () -> Template.compile(source).render(Map.of(), limits, Clock.systemUTC()));
    assertThat(failure).as(source.substring(0, Math.min(100, source.length()))).isNotNull();
    return failure.kind();
  }
}
