package weft.chat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import weft.image.ImageException;
import weft.image.Pictures;
import weft.image.Reel;

/**
 * The pictures and videos of a conversation as its model sees them; each is read once. One
 * thread's.
 */
final class Viewing {
  private final ChatModel model;
  private Map<Part, List<View>> seen = Map.of();

  Viewing(ChatModel model) {
    this.model = model;
  }

  /** All that these messages show, as it comes; what is in no message any more is forgotten. */
  Sights of(List<Message> messages) {
    var all = new ArrayList<View>();
    var known = new HashMap<Part, List<View>>();
    for (var message : messages) {
      for (var part : message.shown()) all.addAll(known.computeIfAbsent(part, _ -> look(part)));
    }
    seen = known;
    if (all.isEmpty()) return Sights.NONE;
    boolean isFilmed = all.stream().anyMatch(View.Film.class::isInstance);
    return new Sights(sight().marks(), isFilmed ? sight().filmMarks() : FilmMarks.NONE, all, known);
  }

  private List<View> look(Part.Shown part) {
    return seen.containsKey(part) ? seen.get(part) : look(sight(part), part);
  }

  /** What a model sees of it; what is wrong with it is said with what it is known by. */
  static List<View> look(Sight sight, Part.Shown part) {
    try {
      return switch (part) {
        case Part.Image image -> List.of(new View.Still(Pictures.read(image.file(), sight::see)));
        case Part.Video video ->
            watched(sight, sight.watch(Reel.of(video.files(), video.perSecond())));
      };
    } catch (ImageException e) {
      throw part.origin().isEmpty() ? e : e.about(part.origin());
    }
  }

  private static List<View> watched(Sight sight, List<Glimpse> moments) {
    return switch (sight.films()) {
      case VIDEOS -> List.of(new View.Film(moments));
      case PICTURES -> moments.stream().<View>map(moment -> new View.Still(moment.seen())).toList();
    };
  }

  private Sight sight() {
    return model.sight().orElseThrow();
  }

  private Sight sight(Part.Shown part) {
    return model.sight().orElseThrow(() -> Sight.missing(model.name(), part));
  }
}
