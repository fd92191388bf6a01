package weft.chat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import weft.generate.Seen;
import weft.image.ImageException;
import weft.image.Pictures;

/** The pictures of a conversation as its model sees them; each is read once. One thread's. */
final class Viewing {
  private final ChatModel model;
  private Map<Part.Image, Seen> seen = Map.of();

  Viewing(ChatModel model) {
    this.model = model;
  }

  /** All pictures of these messages, as they come; those of no message any more are forgotten. */
  Sights of(List<Message> messages) {
    var all = new ArrayList<Seen>();
    var known = new HashMap<Part.Image, Seen>();
    for (var message : messages) {
      for (var image : message.images()) all.add(known.computeIfAbsent(image, this::look));
    }
    seen = known;
    return all.isEmpty() ? Sights.NONE : new Sights(sight().marks(), all);
  }

  private Seen look(Part.Image image) {
    return seen.containsKey(image) ? seen.get(image) : look(sight(), image);
  }

  /** A picture as a model sees it; what is wrong with it is said with what it is known by. */
  static Seen look(Sight sight, Part.Image image) {
    try {
      return Pictures.read(image.file(), sight::see);
    } catch (ImageException e) {
      throw image.origin().isEmpty() ? e : e.about(image.origin());
    }
  }

  private Sight sight() {
    return model.sight().orElseThrow(() -> Sight.missing(model.name()));
  }
}
