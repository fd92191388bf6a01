package weft.text.jinja;

import java.util.List;
import weft.text.jinja.Statement.Signal;

/** Blocks whose output is caught instead of written. */
final class Capture {
  /** Where the caught text is found; no template can spell this name. */
  static final String NAME = "(captured)";

  private Capture() {}

  /** Runs {@code body} in {@code frame} and defines what it wrote as {@link #NAME}. */
  static Signal into(Frame frame, Scope scope, List<Statement> body) {
    scope.start(frame);
    StringBuilder outer = frame.run().capture();
    Signal signal = Statement.execAll(body, frame);
    frame.define(NAME, Value.text(frame.run().release(outer)));
    return signal;
  }
}
