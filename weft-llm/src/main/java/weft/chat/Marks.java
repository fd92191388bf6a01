package weft.chat;

import java.util.Objects;

/**
 * How a model's prompts mark where a picture is.
 *
 * @param written what the model's own template writes for each picture, such as {@code
 *     <|image_pad|>}
 * @param expanded what its processor makes of that, with one token for all of a picture's rows
 * @param alone what is written for a picture where the template knows of none; {@code written} is
 *     in it once
 * @param placeholder the token of {@code expanded} that is replaced by the rows
 */
public record Marks(String written, String expanded, String alone, int placeholder) {
  public Marks {
    Objects.requireNonNull(expanded, "expanded");
    if (written.isEmpty() || !alone.contains(written)) {
      throw new IllegalArgumentException(
          "a picture's mark is written in what stands for it alone, got '%s' and '%s'"
              .formatted(written, alone));
    }
  }
}
