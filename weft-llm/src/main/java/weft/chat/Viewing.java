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
    if (seen.containsKey(image)) return seen.get(image);
    var sight = sight();
    try {
      return sight.see(Pictures.read(image.file()));
    } catch (ImageException e) {
      throw image.origin().isEmpty() ? e : e.about(image.origin());
    }
  }

  private Sight sight() {
    return model
        .sight()
        .orElseThrow(
            () ->
                new ImageException(
                    model.name()
                        + " takes text alone, and an image was given; load what it sees with (--mmproj FILE), or take a model that has it"));
  }
}
