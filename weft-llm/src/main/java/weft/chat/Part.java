package weft.chat;

import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
   * @param arguments by their names: texts, numbers, booleans, lists and maps, in their order
   */
  record Call(String id, String name, Map<String, ? extends @Nullable Object> arguments)
      implements Part {
    public Call {
      Objects.requireNonNull(id, "id");
      Objects.requireNonNull(name, "name");
      arguments = JsonValues.copy(arguments);
    }

    /** A call by the JSON text of its arguments; empty where that is no object. */
    public static Optional<Call> of(String id, String name, String json) {
      return JsonValues.object(json).map(arguments -> new Call(id, name, arguments));
    }

    /** The arguments as JSON text. */
    public String json() {
      return JsonValues.text(arguments);
    }
  }
}
