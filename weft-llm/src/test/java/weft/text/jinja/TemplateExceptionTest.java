package weft.text.jinja;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Clock;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a failure tells: its kind, its place and the line. */
final class TemplateExceptionTest {

  @Test
  void namesThePlaceOfASyntaxError() {
    TemplateException failure = failure("line one\n{% if x %}\n  {{ a b }}\n{% endif %}");
    assertThat(failure.kind()).isEqualTo(TemplateException.Kind.SYNTAX);
    assertThat(failure.line()).isEqualTo(3);
    assertThat(failure.column()).isEqualTo(8);
    assertThat(failure.sourceLine()).isEqualTo("  {{ a b }}");
    assertThat(failure)
        .hasMessageContaining("line 3, column 8: expected token 'end of print statement', got 'b'");
    assertThat(failure.getMessage()).endsWith("    {{ a b }}\n         ^");
  }

  @Test
  void namesThePlaceOfAFailedOperation() {
    TemplateException failure = failure("{% for i in [1] %}\n{{ 'x' ~ (1 + 'a') }}\n{% endfor %}");
    assertThat(failure.kind()).isEqualTo(TemplateException.Kind.RUNTIME);
    assertThat(failure.line()).isEqualTo(2);
    assertThat(failure.column()).isEqualTo(13);
    assertThat(failure.reason()).isEqualTo("unsupported operand type(s) for +: 'int' and 'str'");
  }

  @Test
  void namesThePlaceInsideACalledMacro() {
    TemplateException failure =
        failure("{% macro f(x) %}\n\n {{ x.a.b }}{% endmacro %}\n{{ f({}) }}");
    assertThat(failure.line()).isEqualTo(3);
    assertThat(failure.column()).isEqualTo(9);
    assertThat(failure.reason()).isEqualTo("'dict object' has no attribute 'a'");
  }

  @Test
  void keepsTheVeryMessageThatATemplateRaises() {
    TemplateException failure = failure("\n{{ raise_exception('Roles must alternate!') }}");
    assertThat(failure.kind()).isEqualTo(TemplateException.Kind.RAISED);
    assertThat(failure).hasMessage("Roles must alternate!");
    assertThat(failure.reason()).isEqualTo("Roles must alternate!");
    assertThat(failure.line()).isEqualTo(2);
  }

  @Test
  void countsLinesOfEveryKindOfBreak() {
    assertThat(failure("a\r\nb\rc\n{{ x. }}").line()).isEqualTo(4);
  }

  @Test
  void showsOnlyTheNeighbourhoodInAVeryLongLine() {
    TemplateException failure = failure("x".repeat(5000) + "{{ 1 + none }}" + "y".repeat(5000));
    assertThat(failure.column()).isEqualTo(5006);
    assertThat(failure.getMessage()).contains("{{ 1 + none }}").hasSizeLessThan(500);
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      delimiter = '#',
      value = {
        "{% include 'other' %} # Encountered unknown tag 'include'.",
        "{% extends 'other' %} # Encountered unknown tag 'extends'.",
        "{% block b %}{% endblock %} # Encountered unknown tag 'block'.",
        "{% autoescape true %}{% endautoescape %} # Encountered unknown tag 'autoescape'.",
        "{{ 'a' | wordwrap(1) }} # No filter named 'wordwrap'.",
        "{{ [1] | groupby('a') }} # No filter named 'groupby'.",
        "{{ 'a' is escaped }} # No test named 'escaped'.",
        "{{ cycler(1) }} # 'cycler' is undefined",
        "{{ 'a'.zfill(3) }} # 'str object' has no attribute 'zfill'",
        "{{ '%g' % 1.5 }} # unsupported format character 'g' at index 1",
        "{{ '%.3d' % 1 }} # the format 'd' does not suit a value of type 'int'",
        "{{ '{0.a}'.format(1) }} # the format has no value for the field '0.a':"
            + " a field is a number, the name of an argument or nothing",
        "{{ '{:e}'.format(1.5) }} # Invalid format specifier 'e': templates have"
            + " [align][sign][0][width][,][.precision] and s, d, x, f or %",
        "{{ 2 ** 64 }} # the template computes a whole number of more than 64 bits",
        "{{ '\\N{SPACE}' }} # characters have no names here: write \\u and four digits",
        "{{ strftime_now('%Q') }} # strftime_now has no directive '%Q'; it has those that Python documents"
      })
  void saysWhatTheLanguageOfTemplatesHasNot(String source, String reason) {
    assertThat(failure(source).reason()).isEqualTo(reason);
  }

  private static TemplateException failure(String source) {
    TemplateException failure =
        catchThrowableOfType(
            TemplateException.class,
            () -> Template.compile(source).render(Map.of(), Limits.DEFAULT, Clock.systemUTC()));
    assertThat(failure).isNotNull();
    return failure;
  }
}
