package weft.chat;

import java.util.List;
import java.util.stream.IntStream;
import weft.generate.Seen;
import weft.image.ImageException;

/**
 * The pictures of a conversation in their order, and how prompts mark them: puts them where a
 * template has left marks.
 *
 * @param marks those of the model
 */
record Sights(Marks marks, List<Seen> pictures) {
  /** A noncharacter, which no text contains: a picture in a text for templates that know none. */
  static final char PLACE = '\uFDD2';

  static final Sights NONE = new Sights(new Marks("?", "?", "?", -1), List.of());

  Sights {
    pictures = List.copyOf(pictures);
  }

  boolean isEmpty() {
    return pictures.isEmpty();
  }

  /**
   * Whether a template has left a mark for each picture. What users wrote is no mark: it is told
   * apart by the marks of its own that it still has.
   */
  boolean areIn(String rendered) {
    int found = 0;
    for (int at = rendered.indexOf(marks.written());
        at >= 0;
        at = rendered.indexOf(marks.written(), at + marks.written().length())) {
      found++;
    }
    return found == pictures.size();
  }

  /** A text in which each picture has a place, with marks there. */
  String marked(String rendered) {
    return rendered.replace(Character.toString(PLACE), marks.alone());
  }

  /** Each mark as the model's processor has it. */
  String expanded(String rendered) {
    return isEmpty() ? rendered : rendered.replace(marks.written(), marks.expanded());
  }

  /** The tokens with the rows of all but the first few pictures in the place of placeholders. */
  int[] in(int[] tokens, int before) {
    if (isEmpty()) return tokens;
    var all = IntStream.builder();
    int next = before;
    for (int token : tokens) {
      if (token != marks.placeholder()) {
        all.add(token);
        continue;
      }
      if (next == pictures.size()) throw unmarked();
      var seen = pictures.get(next++);
      for (int i = 0; i < seen.count(); i++) all.add(seen.id());
    }
    if (next < pictures.size()) throw unmarked();
    return all.build().toArray();
  }

  /** Whether these are the first of them. */
  boolean begin(List<Seen> known) {
    if (known.size() > pictures.size()) return false;
    for (int i = 0; i < known.size(); i++) {
      if (known.get(i).id() != pictures.get(i).id()) return false;
    }
    return true;
  }

  /** For a prompt whose marks are not as many as the pictures. */
  ImageException unmarked() {
    return new ImageException(
        "the chat template does not say where in the prompt each of %d images is; take the model's own template"
            .formatted(pictures.size()));
  }
}
