package weft.chat;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Objects;

/**
 * How a model's prompts mark where a video is. Each of its moments is written with its time.
 *
 * @param written what the model's own template writes for a video, such as {@code <|video_pad|>}
 * @param before what stands before it, there and before each moment
 * @param after what stands behind it, there and behind each moment
 * @param placeholder the token of {@code written}, which is replaced by a moment's rows
 */
public record FilmMarks(String written, String before, String after, int placeholder) {
  /** For a model that knows no videos: each moment is a picture. */
  public static final FilmMarks NONE = new FilmMarks("", "", "", -1);

  public FilmMarks {
    Objects.requireNonNull(written, "written");
    Objects.requireNonNull(before, "before");
    Objects.requireNonNull(after, "after");
  }

  boolean isNone() {
    return written.isEmpty();
  }

  /** What is written where a template knows of no videos. */
  String alone() {
    return before + written + after;
  }

  /** A moment as the model's processor writes it. */
  String moment(double second) {
    // As Python rounds: what a number is, and to even digits.
    var time = new BigDecimal(second).setScale(1, RoundingMode.HALF_EVEN);
    return "<%s seconds>".formatted(time.toPlainString()) + alone();
  }
}
