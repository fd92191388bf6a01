package weft.chat;

import java.util.Map;
import java.util.Objects;

/** A part of a message. A value, safe for all threads. */
public sealed interface Part {
  /** What is said. */
  record Text(String text) implements Part {
    public Text {
      Objects.requireNonNull(text, "text");
    }
  }

  /** What a model thinks before it says something, between its tags. */
  record Thought(String text) implements Part {
    public Thought {
      Objects.requireNonNull(text, "text");
    }
  }

  /**
   * A tool that a model calls.
   *
   * @param id by which the tool's result is known; empty where there is none
   * @param arguments by their names: texts, numbers, booleans, lists and maps
   */
  record Call(String id, String name, Map<String, ?> arguments) implements Part {
    public Call {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(name, "name");
      arguments = Map.copyOf(arguments);
    }
  }
}
