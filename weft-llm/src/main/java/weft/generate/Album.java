package weft.generate;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The pictures of a text, by the ids that their rows have in it. A value, safe for all threads. */
public final class Album {
  /** Of a text of tokens alone. */
  public static final Album NONE = new Album(Map.of());

  private final Map<Integer, Seen> pictures;

  private Album(Map<Integer, Seen> pictures) {
    this.pictures = pictures;
  }

  public static Album of(Collection<Seen> pictures) {
    if (pictures.isEmpty()) return NONE;
    return new Album(
        pictures.stream()
            .collect(
                Collectors.toUnmodifiableMap(Seen::id, Function.identity(), (one, same) -> one)));
  }

  /** Whether an id in a text is a row of a picture, rather than a token. */
  public static boolean isRow(int id) {
    return id < 0;
  }

  /** These pictures and others. */
  public Album and(Album other) {
    if (other.isEmpty() || other == this) return this;
    if (isEmpty()) return other;
    return of(Stream.concat(pictures().stream(), other.pictures().stream()).toList());
  }

  public boolean isEmpty() {
    return pictures.isEmpty();
  }

  public List<Seen> pictures() {
    return List.copyOf(pictures.values());
  }

  /** The picture whose rows have this id. */
  public Seen at(int id) {
    Seen found = pictures.get(id);
    if (found == null) {
      throw new GenerateException(
          "the text has a row of picture %d, which was not given with it".formatted(id));
    }
    return found;
  }

  /** Throws unless what is no token in this text is the rows of these pictures, whole ones. */
  void requireIn(int[] text) {
    for (int i = 0; i < text.length; ) {
      if (!isRow(text[i])) {
        i++;
        continue;
      }
      Seen seen = at(text[i]);
      for (int end = i + seen.count(); i < end; i++) {
        if (i == text.length || text[i] != seen.id()) {
          throw new GenerateException(
              "%s takes %d places of a text behind each other, and place %d is not its own"
                  .formatted(seen, seen.count(), i));
        }
      }
    }
  }

  /**
   * Where a step that should end before {@code end} of a text has to end, for a block is fed at
   * once: at its beginning, or behind it where the step begins there.
   */
  int cut(Tokens text, int from, int end) {
    if (isEmpty() || end >= text.length() || !isRow(text.at(end))) return end;
    Seen seen = at(text.at(end));
    if (seen.manner() != Seen.Manner.BLOCK) return end;
    int first = end;
    while (first > 0 && text.at(first - 1) == seen.id()) first--;
    // Two of the same may lie side by side.
    int begins = end - (end - first) % seen.count();
    return begins > from ? begins : begins + seen.count();
  }

  /** The end of the last picture in a text; 0 where there is none. */
  static int end(Tokens text) {
    int end = text.length();
    while (end > 0 && !isRow(text.at(end - 1))) end--;
    return end;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof Album that && pictures.keySet().equals(that.pictures.keySet());
  }

  @Override
  public int hashCode() {
    return pictures.keySet().hashCode();
  }

  @Override
  public String toString() {
    return pictures().toString();
  }
}
