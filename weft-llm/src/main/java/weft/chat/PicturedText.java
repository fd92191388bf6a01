package weft.chat;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import weft.generate.Seen;
import weft.image.ImageException;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.Surround;
import weft.text.tokenizer.Tokenizer;

/**
 * Prompts with pictures that no template makes: texts and tokens in which the model's own marks say
 * where they are. Safe for all threads.
 */
public final class PicturedText {
  private PicturedText() {}

  /** A text that has a mark for each picture, or none: then they come before it. */
  public static ChatPrompts.Prompt of(
      Sight sight, Tokenizer tokenizer, String text, List<Part.Image> images) {
    var sights = new Sights(sight.marks(), look(sight, images));
    boolean isMarked = text.contains(sight.marks().written());
    var marked = isMarked ? text : sight.marks().alone().repeat(images.size()) + text;
    if (!sights.areIn(marked)) throw unmarked(sight.marks().written(), images.size());
    var whole = sights.expanded(marked);
    var tokens = tokenizer.encode(whole, Surround.ADDED, SpecialText.PARSED);
    return new ChatPrompts.Prompt(whole, sights.in(tokens, 0), whole.length(), sights.pictures());
  }

  /**
   * Tokens with a placeholder for each picture, or for each of its rows. Where nothing says which
   * token that is, it is the one whose runs are as long as the pictures.
   */
  public static ChatPrompts.Prompt of(Sight sight, int[] tokens, List<Part.Image> images) {
    var pictures = look(sight, images);
    int placeholder = sight.placeholder().orElseGet(() -> repeated(tokens, pictures));
    long marked = Arrays.stream(tokens).filter(token -> token == placeholder).count();
    long rows = pictures.stream().mapToLong(Seen::count).sum();
    if (marked != rows && marked != pictures.size()) {
      throw new ImageException(
          "the prompt has token %d %d times; the images want it once each (%d times) or once for each of their rows (%d times)"
              .formatted(placeholder, marked, pictures.size(), rows));
    }
    var each = pictures.stream().map(PicturedText::rows);
    var put =
        marked == rows
            ? each.flatMapToInt(Arrays::stream).mapToObj(IntStream::of).iterator()
            : each.map(Arrays::stream).iterator();
    var placed =
        Arrays.stream(tokens)
            .flatMap(token -> token == placeholder ? put.next() : IntStream.of(token));
    return new ChatPrompts.Prompt("", placed.toArray(), 0, pictures);
  }

  private static int[] rows(Seen seen) {
    return IntStream.generate(seen::id).limit(seen.count()).toArray();
  }

  private static int repeated(int[] tokens, List<Seen> pictures) {
    var fitting =
        Arrays.stream(tokens).distinct().filter(t -> isEach(t, tokens, pictures)).toArray();
    if (fitting.length == 1) return fitting[0];
    throw new ImageException(
        "nothing says which token stands for rows of images, and %s of the prompt come as often as those, %s"
            .formatted(
                fitting.length == 0 ? "none" : "several",
                pictures.stream().map(Seen::count).toList()));
  }

  /** Whether all there is of a token are runs as long as the pictures, in their order. */
  private static boolean isEach(int token, int[] tokens, List<Seen> pictures) {
    int at = 0;
    for (var seen : pictures) {
      while (at < tokens.length && tokens[at] != token) at++;
      int end = at + seen.count();
      if (end > tokens.length) return false;
      for (; at < end; at++) if (tokens[at] != token) return false;
    }
    return Arrays.stream(tokens, at, tokens.length).noneMatch(each -> each == token);
  }

  private static List<Seen> look(Sight sight, List<Part.Image> images) {
    return images.stream().map(image -> Viewing.look(sight, image)).toList();
  }

  private static ImageException unmarked(String mark, int images) {
    return new ImageException(
        "the prompt has %s other than %d times, once for each image".formatted(mark, images));
  }
}
