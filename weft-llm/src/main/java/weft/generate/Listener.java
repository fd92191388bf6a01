package weft.generate;

import java.util.function.Consumer;

/**
 * Hears a reply piece by piece on the thread that runs the model, so it should be quick and must
 * not wait for a reply of the same engine.
 */
@FunctionalInterface
public interface Listener {
  /** Whether the reply should go on. */
  enum Answer {
    CONTINUE,
    STOP
  }

  Listener NONE = piece -> Answer.CONTINUE;

  Answer hear(Piece piece);

  /** One that never stops the reply. */
  static Listener of(Consumer<Piece> consumer) {
    return piece -> {
      consumer.accept(piece);
      return Answer.CONTINUE;
    };
  }
}
