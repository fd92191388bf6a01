package weft.chat;

import java.util.Arrays;
import java.util.List;
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

  /** What is shown. */
  sealed interface Shown extends Part {
    /** What people know it by, for errors; empty where they gave it no name. */
    String origin();
  }

  /**
   * A picture that is shown: a PNG, JPEG, WebP, GIF, BMP or TIFF file.
   *
   * @param file its bytes, which nobody writes to any more
   * @param origin what people know it by, for errors; empty where they gave it no name
   */
  record Image(byte[] file, String origin) implements Shown {
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
   * A video that is shown: a picture's file for each of its frames, or one file of an animated GIF,
   * PNG or WebP, which has its own times.
   *
   * @param files their bytes, which nobody writes to any more
   * @param perSecond how many of several files there are for a second
   * @param origin what people know it by, for errors; empty where they gave it no name
   */
  record Video(List<byte[]> files, double perSecond, String origin) implements Shown {
    /** As many frames of a second as models usually take. */
    public static final double USUAL_PER_SECOND = 2;

    public Video {
      files = List.copyOf(files);
      Objects.requireNonNull(origin, "origin");
    }

    /** A file that moves. */
    public static Video of(byte[] file, String origin) {
      return new Video(List.of(file), USUAL_PER_SECOND, origin);
    }

    @Override
    public boolean equals(Object other) {
      return other instanceof Video(var bytes, double rate, String name)
          && name.equals(origin)
          && rate == perSecond
          && Arrays.deepEquals(bytes.toArray(), files.toArray());
    }

    @Override
    public int hashCode() {
      return Arrays.deepHashCode(files.toArray());
    }

    @Override
    public String toString() {
      return "a video of %d files %s".formatted(files.size(), origin).strip();
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
