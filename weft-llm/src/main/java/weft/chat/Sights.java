package weft.chat;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import weft.generate.Seen;
import weft.image.ImageException;

/**
 * The pictures and videos of a conversation in their order, and how prompts mark them: puts them
 * where a template has left marks.
 *
 * @param marks those of the model, for pictures
 * @param films and for videos
 * @param views what each mark stands for
 * @param parts what is marked for each part of a message
 */
record Sights(Marks marks, FilmMarks films, List<View> views, Map<Part, List<View>> parts) {
  /** A noncharacter, which no text contains: a picture in a text for templates that know none. */
  static final char PLACE = '\uFDD2';

  static final Sights NONE =
      new Sights(new Marks("?", "?", "?", -1), FilmMarks.NONE, List.of(), Map.of());

  Sights {
    views = List.copyOf(views);
    parts = Map.copyOf(parts);
  }

  boolean isEmpty() {
    return views.isEmpty();
  }

  /** All whose rows are in the prompt, moments of videos among them. */
  List<Seen> pictures() {
    return views.stream().flatMap(view -> view.seen().stream()).toList();
  }

  /** A part of a message as templates know it that know of pictures. */
  List<Map<String, Object>> variables(Part.Shown part) {
    return parts.get(part).stream()
        .map(view -> Map.<String, Object>of("type", view.type()))
        .toList();
  }

  /** And for those that do not: a place for each. */
  String places(Part.Shown part) {
    return Character.toString(PLACE).repeat(parts.get(part).size());
  }

  /** Where the next mark is, of either kind; -1 where there is none. */
  private int next(String text, int from) {
    int picture = text.indexOf(marks.written(), from);
    int film = films.isNone() ? -1 : text.indexOf(films.written(), from);
    return picture < 0 || film >= 0 && film < picture ? film : picture;
  }

  private String mark(View view) {
    return switch (view) {
      case View.Still _ -> marks.written();
      case View.Film _ -> films.written();
    };
  }

  /**
   * Whether a template has left a mark for each. What users wrote is no mark: it is told apart by
   * the marks of its own that it still has.
   */
  boolean areIn(String rendered) {
    int at = 0;
    for (var view : views) {
      at = next(rendered, at);
      if (at < 0 || !rendered.startsWith(mark(view), at)) return false;
      at += mark(view).length();
    }
    return next(rendered, at) < 0;
  }

  /** What a text's marks stand for, each for the first of its kind that is left. */
  List<View> ordered(String text) {
    var left = new ArrayList<>(views);
    var out = new ArrayList<View>();
    for (int at = next(text, 0); at >= 0; ) {
      int mark = at;
      var found = left.stream().filter(view -> text.startsWith(mark(view), mark)).findFirst();
      if (found.isEmpty()) return views;
      left.remove(found.get());
      out.add(found.get());
      at = next(text, at + mark(found.get()).length());
    }
    return left.isEmpty() ? out : views;
  }

  /** A text in which each has a place, with marks there. */
  String marked(String rendered) {
    var out = new StringBuilder();
    var left = views.iterator();
    for (int i = 0; i < rendered.length(); i++) {
      char c = rendered.charAt(i);
      if (c != PLACE) {
        out.append(c);
      } else if (left.hasNext()) {
        out.append(alone(left.next()));
      }
    }
    return out.toString();
  }

  private String alone(View view) {
    return switch (view) {
      case View.Still _ -> marks.alone();
      case View.Film _ -> films.alone();
    };
  }

  /** Each mark as the model's processor has it; there is one for each. */
  String expanded(String rendered) {
    var out = new StringBuilder();
    int at = 0;
    for (var view : views) {
      int found = next(rendered, at);
      if (found < 0) break;
      out.append(rendered, at, found);
      at = found + mark(view).length();
      switch (view) {
        case View.Still _ -> out.append(marks.expanded());
        case View.Film film -> at = expand(film, out, rendered, at);
      }
    }
    return out.append(rendered, at, rendered.length()).toString();
  }

  /** Moments take the place of all that a template writes around a video; where that ends. */
  private int expand(View.Film film, StringBuilder out, String rendered, int at) {
    int end = at;
    int begin = out.length() - films.before().length();
    if (begin >= 0
        && out.indexOf(films.before(), begin) == begin
        && rendered.startsWith(films.after(), at)) {
      out.setLength(begin);
      end += films.after().length();
    }
    film.moments().forEach(moment -> out.append(films.moment(moment.second())));
    return end;
  }

  /** The tokens with the rows of all but the first few pictures in the place of placeholders. */
  int[] in(int[] tokens, int before) {
    if (isEmpty()) return tokens;
    var all = IntStream.builder();
    Iterator<Seen> left = pictures().stream().skip(before).iterator();
    for (int token : tokens) {
      boolean isRow = token == marks.placeholder() || token == films.placeholder();
      if (!isRow) {
        all.add(token);
        continue;
      }
      if (!left.hasNext()) throw unmarked();
      var seen = left.next();
      for (int i = 0; i < seen.count(); i++) all.add(seen.id());
    }
    if (left.hasNext()) throw unmarked();
    return all.build().toArray();
  }

  /** Whether these are the first of them. */
  boolean begin(List<Seen> known) {
    var pictures = pictures();
    if (known.size() > pictures.size()) return false;
    for (int i = 0; i < known.size(); i++) {
      if (known.get(i).id() != pictures.get(i).id()) return false;
    }
    return true;
  }

  /** What users' texts may not spell where they are trusted with all else. */
  List<String> spellings() {
    var all = new ArrayList<>(List.of(marks.written()));
    if (!films.isNone()) all.add(films.written());
    return all;
  }

  /** For a prompt whose marks are not as many as the pictures. */
  ImageException unmarked() {
    return new ImageException(
        "the chat template does not say where in the prompt each of %s is; take the model's own template"
            .formatted(counted()));
  }

  /** How many there are of each kind. */
  String counted() {
    return views.stream()
        .collect(Collectors.groupingBy(View::type, TreeMap::new, Collectors.counting()))
        .entrySet()
        .stream()
        .map(kind -> "%d %ss".formatted(kind.getValue(), kind.getKey()))
        .collect(Collectors.joining(" and "));
  }
}
