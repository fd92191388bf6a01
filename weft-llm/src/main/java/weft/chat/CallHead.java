package weft.chat;

/** What a text is that may begin a call. */
sealed interface CallHead {
  /** It is not, whatever follows. */
  record NoCall() implements CallHead {}

  /** It may be; more of it has to come. */
  record Open() implements CallHead {}

  /**
   * It is one.
   *
   * @param length how much of the text says so
   * @param id what the model calls it; empty where it gives no name
   * @param body reads the rest
   */
  record Begins(int length, String id, String name, CallBody body) implements CallHead {}

  /** Nothing was found: for want of text, or because it is something else. */
  static CallHead none(TextScanner text) {
    return text.wantsMore() ? new Open() : new NoCall();
  }
}
