package weft.chat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import weft.generate.Seen;
import weft.image.ImageException;
import weft.text.tokenizer.SpecialText;
import weft.text.tokenizer.Surround;
import weft.text.tokenizer.Tokenizer;

/**
 * Prompts with pictures and videos that no template makes: texts and tokens in which the model's
 * own marks say where they are. Safe for all threads.
 */
public final class PicturedText {
  private PicturedText() {}

  /**
   * A text that has a mark for each picture and each video, or none: then they come before it.
   * Marks of either kind take what there is of theirs in its order.
   */
  public static ChatPrompts.Prompt of(
      Sight sight, Tokenizer tokenizer, String text, List<? extends Part.Shown> shown) {
    var given = sights(sight, look(sight, shown));
    boolean isMarked = given.spellings().stream().anyMatch(text::contains);
    var sights = isMarked ? sights(sight, given.ordered(text)) : given;
    var marked =
        isMarked
            ? text
            : sights.marked(Character.toString(Sights.PLACE).repeat(sights.views().size())) + text;
    if (!sights.areIn(marked)) throw unmarked(given);
    var whole = sights.expanded(marked);
    var tokens = tokenizer.encode(whole, Surround.ADDED, SpecialText.PARSED);
    return new ChatPrompts.Prompt(whole, sights.in(tokens, 0), whole.length(), sights.pictures());
  }

  private static Sights sights(Sight sight, List<View> views) {
    boolean isFilmed = views.stream().anyMatch(View.Film.class::isInstance);
    return new Sights(
        sight.marks(), isFilmed ? sight.filmMarks() : FilmMarks.NONE, views, Map.of());
  }

  /**
   * Tokens with a placeholder for each picture and each moment of a video, or for each of their
   * rows. Where nothing says which token that is, it is the one whose runs are as long as those.
   */
  public static ChatPrompts.Prompt of(Sight sight, int[] tokens, List<? extends Part.Shown> shown) {
    var views = look(sight, shown);
    var pictures = views.stream().flatMap(view -> view.seen().stream()).toList();
    var left = new HashMap<Integer, List<Seen>>();
    for (var view : views) {
      var known =
          switch (view) {
            case View.Still _ -> sight.placeholder();
            case View.Film _ -> sight.filmPlaceholder();
          };
      int placeholder = known.orElseGet(() -> repeated(tokens, pictures));
      left.computeIfAbsent(placeholder, _ -> new ArrayList<>()).addAll(view.seen());
    }
    var put = new HashMap<Integer, Iterator<IntStream>>();
    left.forEach((placeholder, seen) -> put.put(placeholder, puts(tokens, placeholder, seen)));
    var placed =
        Arrays.stream(tokens)
            .flatMap(token -> put.containsKey(token) ? put.get(token).next() : IntStream.of(token));
    return new ChatPrompts.Prompt("", placed.toArray(), 0, pictures);
  }

  /** What each of a placeholder's tokens becomes. */
  private static Iterator<IntStream> puts(int[] tokens, int placeholder, List<Seen> seen) {
    long marked = Arrays.stream(tokens).filter(token -> token == placeholder).count();
    long rows = seen.stream().mapToLong(Seen::count).sum();
    if (marked != rows && marked != seen.size()) {
      throw new ImageException(
          "the prompt has token %d %d times; the images want it once each (%d times) or once for each of their rows (%d times)"
              .formatted(placeholder, marked, seen.size(), rows));
    }
    var each = seen.stream().map(PicturedText::rows);
    return marked == rows
        ? each.flatMapToInt(Arrays::stream).mapToObj(IntStream::of).iterator()
        : each.map(Arrays::stream).iterator();
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

  private static List<View> look(Sight sight, List<? extends Part.Shown> shown) {
    return shown.stream().flatMap(part -> Viewing.look(sight, part).stream()).toList();
  }

  private static ImageException unmarked(Sights sights) {
    return new ImageException(
        "the prompt has other than one of %s for each of %s"
            .formatted(String.join(" and ", sights.spellings()), sights.counted()));
  }
}
