package weft.generate;

/**
 * Turns tokens into text as they come, never splitting a character; one stream serves one turn. It
 * is called on the thread that runs the model.
 */
public interface TextStream {
  /** For callers who want tokens only. */
  TextStream NONE =
      new TextStream() {
        @Override
        public String add(int token) {
          return "";
        }

        @Override
        public String flush() {
          return "";
        }
      };

  /** The text that this token completes; empty while a character is not whole. */
  String add(int token);

  /** What is left when no token will follow. */
  String flush();
}
