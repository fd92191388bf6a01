package weft.chat;

/** Reads a call behind its head: the arguments, and whatever closes it. */
interface CallBody {
  /**
   * Reads on, and adds to the arguments what became certain of them.
   *
   * @param isOver no more text comes
   * @return how much of the text is used
   */
  int read(CharSequence text, boolean isOver, StringBuilder json);

  /** Whether all arguments are there. */
  boolean hasArguments();

  /** Whether the call is closed, too. */
  boolean isClosed();
}
