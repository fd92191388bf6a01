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
    var sights = sights(sight, images);
    boolean isMarked = text.contains(sight.marks().written());
    var marked = isMarked ? text : sight.marks().alone().repeat(images.size()) + text;
    if (!sights.areIn(marked)) throw unmarked(sight.marks().written(), images.size());
    var whole = sights.expanded(marked);
    var tokens = tokenizer.encode(whole, Surround.ADDED, SpecialText.PARSED);
    return new ChatPrompts.Prompt(whole, sights.in(tokens, 0), whole.length(), sights.pictures());
  }

  /** Tokens with a placeholder for each picture, or for each of its rows. */
  public static ChatPrompts.Prompt of(Sight sight, int[] tokens, List<Part.Image> images) {
    var sights = sights(sight, images);
    int placeholder = sight.marks().placeholder();
    long marked = Arrays.stream(tokens).filter(token -> token == placeholder).count();
    long rows = sights.pictures().stream().mapToLong(Seen::count).sum();
    if (marked == rows) {
      var each = sights.pictures().stream().flatMapToInt(PicturedText::rows).iterator();
      var placed =
          Arrays.stream(tokens).map(token -> token == placeholder ? each.nextInt() : token);
      return new ChatPrompts.Prompt("", placed.toArray(), 0, sights.pictures());
    }
    if (marked != images.size()) throw unmarked("token " + placeholder, images.size());
    return new ChatPrompts.Prompt("", sights.in(tokens, 0), 0, sights.pictures());
  }

  private static IntStream rows(Seen seen) {
    return IntStream.generate(seen::id).limit(seen.count());
  }

  private static Sights sights(Sight sight, List<Part.Image> images) {
    return new Sights(
        sight.marks(), images.stream().map(image -> Viewing.look(sight, image)).toList());
  }

  private static ImageException unmarked(String mark, int images) {
    return new ImageException(
        "the prompt has %s other than %d times, once for each image".formatted(mark, images));
  }
}
