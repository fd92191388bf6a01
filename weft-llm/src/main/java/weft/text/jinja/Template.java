package weft.text.jinja;

import java.time.Clock;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A compiled template; immutable, so one may render for many threads at once. */
public final class Template {
  /** Far beyond any template; the parser's work and memory grow with it. */
  private static final int MAX_LENGTH = 1 << 18;

  private final Source source;
  private final List<Statement> statements;
  private final Scope scope;
  private final int depth;

  private Template(Source source, List<Statement> statements) {
    this.source = source;
    this.statements = statements;
    this.scope = Scope.of(List.of(), statements);
    this.depth = statements.isEmpty() ? 1 : Node.deepest(statements.getFirst(), statements).depth();
  }

  /** Parses and checks a template; fails with a {@link TemplateException} of kind SYNTAX. */
  public static Template compile(String text) {
    Source source = Source.of(text);
    if (text.length() > MAX_LENGTH) {
      throw source.error(
          TemplateException.Kind.LIMIT,
          0,
          "the template has more than " + MAX_LENGTH + " characters");
    }
    try {
      List<Statement> statements = new StatementParser(new Tokens(source)).parse();
      Analysis.check(source, statements);
      return new Template(source, statements);
    } catch (StackOverflowError small) {
      throw stackTooSmall(source, 0);
    }
  }

  /**
   * Renders with plain Java data or JSON trees as variables; fails with a {@link
   * TemplateException}.
   */
  public String render(
      Map<String, ? extends @Nullable Object> variables, Limits limits, Clock clock) {
    Run run = start(variables, limits, clock);
    try {
      run.budget().enter(depth);
      Frame frame = Frame.root(run);
      scope.start(frame);
      Statement.execAll(statements, frame);
      return run.output();
    } catch (Failure failure) {
      throw failure.at(source, run.position());
    } catch (StackOverflowError small) {
      throw stackTooSmall(source, run.position());
    }
  }

  private Run start(Map<String, ? extends @Nullable Object> variables, Limits limits, Clock clock) {
    Values values = new Values();
    Map<String, Value> converted = new HashMap<>();
    try {
      variables.forEach((name, value) -> converted.put(name, values.of(value)));
    } catch (Failure failure) {
      throw failure.at(source, 0);
    }
    return new Run(converted, limits.widenedBy(values.bytes()), clock);
  }

  /** Nesting is limited so that an ordinary thread's stack suffices; this one's is smaller. */
  private static TemplateException stackTooSmall(Source source, int position) {
    return source.error(
        TemplateException.Kind.LIMIT,
        position,
        "the template nests deeper than this thread's stack");
  }
}
