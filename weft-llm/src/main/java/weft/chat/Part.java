package weft.chat;

import java.util.Arrays;
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
   * A picture that is shown: a PNG, JPEG, WebP, GIF, BMP or TIFF file.
   *
   * @param file its bytes, which nobody writes to any more
   * @param origin what people know it by, for errors; empty where they gave it no name
   */
  record Image(byte[] file, String origin) implements Part {
    public Image {
      Objects.requireNonNull(file, "file");
      Objects.requireNonNull(origin, "origin");
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Image(byte[] bytes, String name)
          && name.equals(origin)
          && Arrays.equals(bytes, file);
    }

    @Override
    public int hashCode() {
      return Arrays.hashCode(file);
    }

    @Override
    public String toString() {
      return "an image of %d bytes %s".formatted(file.length, origin).strip();
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
