package weft.chat;

/**
 * A piece of an answer as it comes. Thoughts, tags and what is said come as the model writes them;
 * a call begins, brings its arguments piece by piece and ends, one call after the other. Values,
 * safe for all threads.
 */
public sealed interface Fragment {
  /** What is written: nothing where a call ends, and a tool's name where one begins. */
  String text();

  /** What the model thinks before it answers. */
  record Thought(String text) implements Fragment {}

  /** What it says. */
  record Said(String text) implements Fragment {}

  /** A tag around a thought. */
  record Tag(String text) implements Fragment {}

  /**
   * A tool is called; its arguments follow.
   *
   * @param index which call of the answer it is, from zero
   * @param id by which the tool's result is known
   */
  record CallBegins(int index, String id, String name) implements Fragment {
    @Override
    public String text() {
      return name;
    }
  }

  /** The next piece of a call's arguments, which together are a JSON object. */
  record Arguments(int index, String text) implements Fragment {}

  /** A call has all of its arguments; one that the answer's end cuts off never has. */
  record CallEnds(int index) implements Fragment {
    @Override
    public String text() {
      return "";
    }
  }
}
