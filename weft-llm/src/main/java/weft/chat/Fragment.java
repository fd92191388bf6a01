package weft.chat;

/** A piece of an answer as it comes. A value, safe for all threads. */
public record Fragment(Kind kind, String text) {
  /** What a piece belongs to. */
  public enum Kind {
    /** What the model thinks before it answers. */
    THOUGHT,
    /** What it says. */
    ANSWER,
    /** A tag around a thought. */
    TAG
  }
}
