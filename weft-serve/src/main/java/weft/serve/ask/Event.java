package weft.serve.ask;

import java.util.List;

/**
 * What happens while a request is answered, in this order: it begins; texts, thoughts and calls of
 * each answer; each answer ends; all of it is counted. Answers are told apart by their index.
 */
public sealed interface Event {
  /** The prompt is understood, and waits for its turn. */
  record Begun(String model, int promptTokens) implements Event {}

  /** A piece of what is said; of its tokens' chances if they were asked for. */
  record Said(int answer, String text, List<Chance> chances) implements Event {
    public Said {
      chances = List.copyOf(chances);
    }
  }

  /** A piece of what is thought before. */
  record Thought(int answer, String text) implements Event {}

  /** A tool is called; its arguments follow. {@code index} counts the calls of an answer. */
  record CallBegun(int answer, int index, String id, String name) implements Event {}

  /** A piece of a call's arguments, as JSON text. */
  record CallArguments(int answer, int index, String json) implements Event {}

  /** An answer is at its end; {@code stop} is the text that ended it, empty where none did. */
  record Ended(int answer, End end, String stop) implements Event {}

  /** All answers are. */
  record Spent(Cost cost) implements Event {}

  /** Nothing came for a while; who streams says something, lest the client think it dead. */
  record Waiting() implements Event {}

  /** Why an answer ended. */
  enum End {
    /** The model's own end, or a text that was to end it. */
    STOP,
    /** The most tokens, or the end of the context. */
    LENGTH,
    /** It called tools and waits for their results. */
    CALLS,
    /** The server ended it, such as when it shuts down. */
    CANCELLED
  }
}
