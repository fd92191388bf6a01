package weft.text.jinja;

/**
 * An error on its way to the render loop, which knows the position and makes it a {@link
 * TemplateException}.
 */
final class Failure extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final TemplateException.Kind kind;

  private Failure(TemplateException.Kind kind, String message) {
    // Failures carry a template position instead of a Java stack trace.
    super(message, null, false, false);
    this.kind = kind;
  }

  static Failure runtime(String message) {
    return new Failure(TemplateException.Kind.RUNTIME, message);
  }

  static Failure raised(String message) {
    return new Failure(TemplateException.Kind.RAISED, message);
  }

  static Failure limit(String message) {
    return new Failure(TemplateException.Kind.LIMIT, message);
  }

  TemplateException.Kind kind() {
    return kind;
  }

  TemplateException at(Source source, int position) {
    return source.error(kind, position, String.valueOf(getMessage()));
  }
}
